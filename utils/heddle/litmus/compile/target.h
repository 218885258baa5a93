// What a compiler can be asked to compile for, and the words with which gcc and clang are asked.
#ifndef HEDDLE_LITMUS_COMPILE_TARGET_H
#define HEDDLE_LITMUS_COMPILE_TARGET_H

#include "../hardware/trace.h"

#include <string>
#include <vector>

namespace heddle::litmus::compile {

struct Target {
  std::string name;
  hardware::Architecture architecture;
  std::string triple;             // clang's --target; empty: this machine's own
  std::string gcc;                // the command of the cross compiler
  std::vector<std::string> flags; // the same for both
  // Read-modify-writes are calls of the compiler's library, which asks a variable whether the
  // processor has LSE: what that variable holds, or -1 if there are no such calls.
  int outline = -1;
};

const std::vector<Target> &Targets();
const Target *FindTarget(const std::string &name);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_TARGET_H
