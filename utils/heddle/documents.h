// Manual pages and shell completion, made of what the command line itself knows, so that they are
// never out of date.
#ifndef HEDDLE_DOCUMENTS_H
#define HEDDLE_DOCUMENTS_H

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace heddle {

// In roff. `subcommand` is one of `heddle`'s, or none for the page of all.
std::string ManPage(const CLI::App &heddle, const CLI::App *subcommand, const std::string &version);

std::string BashCompletion(const CLI::App &heddle);
std::string ZshCompletion(const CLI::App &heddle);
std::string FishCompletion(const CLI::App &heddle);

// Adds `heddle completion`, and `heddle manual`, which the build uses and help does not name.
std::function<int()> AddCompletionCommand(CLI::App *heddle, CLI::App **subcommand);
std::function<int()> AddManualCommand(CLI::App *heddle, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_DOCUMENTS_H
