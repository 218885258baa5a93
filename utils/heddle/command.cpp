#include "command.h"

#include "hunt/failure.h"

#include "heddle/schedule/strategy_kinds.h"

#include <cstdio>

namespace heddle {

const std::vector<std::string> kStrategyWords = {
#define HEDDLE_WORD(kind, name, type) name,
    HEDDLE_STRATEGIES(HEDDLE_WORD)
#undef HEDDLE_WORD
};
const std::vector<std::string> kWeakMemoryWords = {"off", "buffer", "mograph"};
const std::vector<std::string> kReadPolicyWords = {"strategy", "uniform", "newest",
                                                   "oldest",   "stale",   "mixed"};

int Complain(const CLI::App &command, const std::string &what) {
  fprintf(stderr, "heddle %s: %s\n", command.get_name().c_str(), what.c_str());
  return kCommandFailed;
}

std::function<int()> Guarded(const CLI::App &command, std::function<int()> run) {
  return [&command, run] {
    try {
      return run();
    } catch (const hunt::Failure &failure) {
      return Complain(command, failure.what());
    }
  };
}

void TakesProgram(CLI::App *command) { command->prefix_command(); }

std::string HelpFormatter::make_usage(const CLI::App *app, std::string name) const {
  std::string usage = CLI::Formatter::make_usage(app, name);
  if (!app->get_prefix_command())
    return usage;
  const size_t end = usage.find_last_not_of('\n') + 1;
  return usage.insert(end, " PROGRAM [ARGUMENT]...");
}

std::vector<std::string> ProgramOf(const CLI::App &command) {
  std::vector<std::string> words = command.remaining();
  if (!words.empty() && words[0] == "--")
    words.erase(words.begin());
  return words;
}

CLI::Option *AddWord(CLI::App *command, const std::string &name, std::string *value,
                     const std::vector<std::string> &words, const std::string &description) {
  return command->add_option(name, *value, description)
      ->check(CLI::IsMember(words))
      ->capture_default_str();
}

} // namespace heddle
