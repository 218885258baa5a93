#ifndef HEDDLE_SYNTH_COMMAND_H
#define HEDDLE_SYNTH_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle litmus synth` to `heddle litmus`. What it returns is to be run if it
// was asked for, and gives the exit code.
std::function<int()> AddSynthCommand(CLI::App *litmus, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_SYNTH_COMMAND_H
