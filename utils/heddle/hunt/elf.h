// Whose runtime is in a program: looked up in its symbols, without running it.
#ifndef HEDDLE_HUNT_ELF_H
#define HEDDLE_HUNT_ELF_H

#include <string>

namespace heddle::hunt {

enum class RuntimeKind {
  kHeddle,   // linked in
  kShared,   // a shared library: which one is seen when it runs
  kStock,    // ThreadSanitizer without us, clang's or gcc's
  kNone,     // an ordinary program
  kForeign,  // a program for another machine
  kScript,   // begins with #!: what it starts is seen when it runs
  kNoProgram // neither ELF nor a script
};

// Throws Failure if the file cannot be read.
RuntimeKind RuntimeIn(const std::string &path);
RuntimeKind RuntimeInImage(const std::string &bytes);

// As demos name it (heddle_program.cpp); nothing if there is no such program. Throws nothing.
std::string BuildIdOf(const std::string &path);
std::string BuildIdInImage(const std::string &bytes);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_ELF_H
