// The heddle command. Each subcommand is a file of its own.

#include "litmus_command.h"

#include <CLI/CLI.hpp>

int main(int argc, char **argv) {
  CLI::App heddle("Heddle tests programs that use threads and atomics against the executions that "
                  "the C++ standard allows.",
                  "heddle");
  heddle.set_version_flag("--version", HEDDLE_VERSION);
  heddle.require_subcommand(1);
  CLI::App *litmus;
  std::function<int()> run_litmus = heddle::AddLitmusCommand(&heddle, &litmus);
  try {
    heddle.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    int code = heddle.exit(error); // prints help, or what is wrong
    return code == 0 ? 0 : 2;
  }
  return litmus->parsed() ? run_litmus() : 2;
}
