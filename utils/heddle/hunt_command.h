#ifndef HEDDLE_HUNT_COMMAND_H
#define HEDDLE_HUNT_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle hunt`; see AddLitmusCommand.
std::function<int()> AddHuntCommand(CLI::App *heddle, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_HUNT_COMMAND_H
