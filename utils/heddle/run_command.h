#ifndef HEDDLE_RUN_COMMAND_H
#define HEDDLE_RUN_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle run`; see AddLitmusCommand.
std::function<int()> AddRunCommand(CLI::App *heddle, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_RUN_COMMAND_H
