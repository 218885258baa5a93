#ifndef HEDDLE_REPLAY_COMMAND_H
#define HEDDLE_REPLAY_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle replay`; see AddLitmusCommand.
std::function<int()> AddReplayCommand(CLI::App *heddle, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_REPLAY_COMMAND_H
