#include "command.h"

#include "hunt/failure.h"
#include "hunt/printable.h"

#include "heddle/schedule/strategy_kinds.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace heddle {

const std::vector<std::string> kStrategyWords = {
#define HEDDLE_WORD(kind, name, type) name,
    HEDDLE_STRATEGIES(HEDDLE_WORD)
#undef HEDDLE_WORD
};
const std::vector<std::string> kWeakMemoryWords = {"off", "buffer", "mograph"};
const std::vector<std::string> kReadPolicyWords = {"strategy", "uniform", "newest",
                                                   "oldest",   "stale",   "mixed"};

namespace {

// Validators without a name, so that help is as without them. What they return is what is wrong.

// A leading 0 would make it octal.
std::string CheckWhole(const std::string &text) {
  const bool digits = !text.empty() && isdigit(static_cast<unsigned char>(text[0]));
  const bool octal = text.size() > 1 && text[0] == '0' && (text[1] | 0x20) != 'x';
  char *end = nullptr;
  errno = 0;
  strtoull(text.c_str(), &end, 0);
  if (digits && !octal && !errno && !*end)
    return "";
  return "'" + text + "' is no whole number from 0 to 18446744073709551615";
}

std::string CheckFinite(const std::string &text) {
  char *end = nullptr;
  const double number = strtod(text.c_str(), &end);
  if (end != text.c_str() && !*end && std::isfinite(number) && number >= 0)
    return "";
  return "'" + text + "' is no number from 0 on";
}

// As of a variable of a shell that is not set: it would count as not given.
std::string CheckNotEmpty(const std::string &text) {
  return text.empty() ? "its value is empty" : "";
}

} // namespace

void CheckValues(CLI::App *command) {
  for (CLI::Option *option : command->get_options()) {
    // "UINT", or "UINT:POSITIVE" with a check of its own; litmus has other words for some.
    const std::string name = option->get_type_name();
    const std::string type = name.substr(0, name.find_first_of(": "));
    if (type == "UINT" || type == "COUNT" || type == "EVENTS")
      option->check(CLI::Validator(CheckWhole, ""));
    else if (type == "FLOAT")
      option->check(CLI::Validator(CheckFinite, ""));
    else if (type == "TEXT" && option->get_name() != "--options")
      option->check(CLI::Validator(CheckNotEmpty, ""));
  }
  for (CLI::App *subcommand : command->get_subcommands([](CLI::App *) { return true; }))
    CheckValues(subcommand);
}

CLI::Option *AddSeed(CLI::App *command, uint64_t *seed, const std::string &description) {
  return command->add_option("--seed", *seed, description)
      ->check(CLI::Validator(
          [](const std::string &text) {
            const std::string wrong = CheckWhole(text);
            return !wrong.empty() || strtoull(text.c_str(), nullptr, 0) <= kLargestSeed
                       ? wrong
                       : "a seed is at most " + std::to_string(kLargestSeed);
          },
          ""));
}

int Complain(const CLI::App &command, const std::string &what) {
  fprintf(stderr, "heddle %s: %s\n", command.get_name().c_str(),
          hunt::PrintableLines(what).c_str());
  return kCommandFailed;
}

std::function<int()> Guarded(const CLI::App &command, std::function<int()> run) {
  return [&command, run] {
    try {
      return run();
    } catch (const std::bad_alloc &) {
      return Complain(command, hunt::kNoMemory);
    } catch (const std::exception &failure) {
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
