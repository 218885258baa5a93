// A run of the program in the foreground: its input and output are ours. What it says on standard
// error is passed on, and kept.
#ifndef HEDDLE_HUNT_FOREGROUND_H
#define HEDDLE_HUNT_FOREGROUND_H

#include "spawn.h"

#include <string>

namespace heddle::hunt {

// `output` is not filled in.
Ended RunInForeground(SpawnPlan plan);

// Without the escapes that colour it.
std::string WithoutColours(const std::string &text);

// As a shell has it: a signal is 128 and its number.
int ShellCode(const Ended &ended);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_FOREGROUND_H
