#ifndef HEDDLE_SHOW_COMMAND_H
#define HEDDLE_SHOW_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle show`; see AddLitmusCommand.
std::function<int()> AddShowCommand(CLI::App *heddle, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_SHOW_COMMAND_H
