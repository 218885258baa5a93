// Litmus tests of assembly for the command: running them, checking what their files
// expect, and comparing with herd7.
#ifndef HEDDLE_LITMUS_ASSEMBLY_H
#define HEDDLE_LITMUS_ASSEMBLY_H

#include <string>

namespace heddle {

// Whether the file can be read and is a test of assembly.
bool IsAssemblyFile(const std::string &file);

// What to print about the test. Throws std::runtime_error, with file and place, if it is
// malformed or has an unknown instruction.
std::string RunAssemblyFile(const std::string &file);

// Nothing, or what is not as the file expects. `required`: there must be an expectation.
std::string CheckAssemblyFile(const std::string &file, bool required);

// Throws std::runtime_error, with what to do, if there is no herd7.
void RequireHerd();

// Nothing, or the states that only one of the two has. Throws std::runtime_error if
// herd7 fails.
std::string CompareWithHerd(const std::string &file);

} // namespace heddle

#endif // HEDDLE_LITMUS_ASSEMBLY_H
