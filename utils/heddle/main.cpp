// The heddle command. Each subcommand is a file of its own.

#include "command.h"
#include "doctor_command.h"
#include "documents.h"
#include "hunt_command.h"
#include "litmus_command.h"
#include "merge_command.h"
#include "replay_command.h"
#include "run_command.h"
#include "show_command.h"
#include "surroundings.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <vector>

namespace {

using Add = std::function<int()> (*)(CLI::App *heddle, CLI::App **subcommand);

// In the order of --help.
// clang-format off
constexpr Add kSubcommands[] = {
    heddle::AddRunCommand,
    heddle::AddHuntCommand,
    heddle::AddReplayCommand,
    heddle::AddShowCommand,
    heddle::AddMergeCommand,
    heddle::AddLitmusCommand,
    heddle::AddDoctorCommand,
    heddle::AddCompletionCommand,
    heddle::AddManualCommand,
};
// clang-format on

struct Subcommand {
  CLI::App *app;
  std::function<int()> run;
};

int Run(int argc, char **argv) {
  CLI::App command("Heddle tests programs that use threads and atomics against the executions that "
                   "the C++ standard allows.",
                   "heddle");
  command.set_version_flag("--version", HEDDLE_VERSION);
  command.require_subcommand(1);
  command.formatter(std::make_shared<heddle::HelpFormatter>());
  command.footer("`heddle SUBCOMMAND --help` says more about each, and `man heddle`.");
  std::vector<Subcommand> subcommands;
  for (Add add : kSubcommands) {
    Subcommand &subcommand = subcommands.emplace_back();
    subcommand.run = add(&command, &subcommand.app);
  }
  heddle::CheckValues(&command);
  try {
    command.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int code = command.exit(error); // prints help, or what is wrong
    return code == 0 ? 0 : 2;
  }
  for (const Subcommand &subcommand : subcommands)
    if (subcommand.app->parsed())
      return subcommand.run();
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  return heddle::CallInOrder([=] { return Run(argc, argv); });
}
