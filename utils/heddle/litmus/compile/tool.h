// Other programs that are run for a moment: compilers, linkers, disassemblers.
#ifndef HEDDLE_LITMUS_COMPILE_TOOL_H
#define HEDDLE_LITMUS_COMPILE_TOOL_H

#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::litmus::compile {

// A tool that is missing, fails, dies or hangs: says which, how, and what it was told.
struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Where a command is: itself if it names a path, or the first of that name in PATH. Empty if there
// is none.
std::string FindTool(const std::string &command);

// Runs a program to its end, at most so many seconds, in this process's directory. What it printed
// on standard output; ToolError if it did not exit with 0. It and all that it started are
// gone then.
std::string RunTool(const std::vector<std::string> &words, double seconds);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_TOOL_H
