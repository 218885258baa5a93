#ifndef HEDDLE_MERGE_COMMAND_H
#define HEDDLE_MERGE_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle merge`; see AddLitmusCommand.
std::function<int()> AddMergeCommand(CLI::App *heddle, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_MERGE_COMMAND_H
