#ifndef HEDDLE_DOCTOR_COMMAND_H
#define HEDDLE_DOCTOR_COMMAND_H

#include <CLI/CLI.hpp>

#include <functional>

namespace heddle {

// Adds `heddle doctor`; see AddLitmusCommand.
std::function<int()> AddDoctorCommand(CLI::App *heddle, CLI::App **subcommand);

} // namespace heddle

#endif // HEDDLE_DOCTOR_COMMAND_H
