// What the subcommands share.
#ifndef HEDDLE_COMMAND_H
#define HEDDLE_COMMAND_H

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace heddle {

// Exit codes of all subcommands but `run` and `replay`, which end as the program does.
constexpr int kNothingFound = 0, kFound = 1, kCommandFailed = 2;

// Says "heddle NAME: what", and what the exit code is.
int Complain(const CLI::App &command, const std::string &what);

// Runs a subcommand; what it throws, a hunt::Failure for the most part, is a complaint.
std::function<int()> Guarded(const CLI::App &command, std::function<int()> run);

// PROGRAM and its arguments after the command's own options, which end where it stands.
void TakesProgram(CLI::App *command);
std::vector<std::string> ProgramOf(const CLI::App &command);

// Names the program in the usage of those that take one.
class HelpFormatter : public CLI::Formatter {
public:
  std::string make_usage(const CLI::App *app, std::string name) const override;
};

// A choice of a few words, all of which help names.
CLI::Option *AddWord(CLI::App *command, const std::string &name, std::string *value,
                     const std::vector<std::string> &words, const std::string &description);

// Lets all options of a command and its subcommands refuse values that are none: CLI11 by itself
// takes -1 for the largest number, cuts larger ones off, and takes an empty name.
void CheckValues(CLI::App *command);

// --seed. The runtime reads it as a number with a sign, and a hunt counts up from it.
constexpr uint64_t kLargestSeed = uint64_t(1) << 62;
CLI::Option *AddSeed(CLI::App *command, uint64_t *seed, const std::string &description);

// The words of the runtime's flags.
extern const std::vector<std::string> kStrategyWords, kWeakMemoryWords, kReadPolicyWords;

} // namespace heddle

#endif // HEDDLE_COMMAND_H
