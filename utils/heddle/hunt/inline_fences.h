// Fences and atomic operations in inline assembly: instrumented code that uses `mfence`, a `lock`
// prefix or an exchange with memory. No compiler makes those there, as every atomic operation of
// instrumented code is a call of the runtime, which sees neither the one nor the other.
//
// A function is instrumented if it calls __tsan_func_entry, which all do that contain assembly. So
// the runtime itself and libraries that are linked in are left out. What the instructions are, a
// disassembler says: their bytes stand in other instructions, too.
#ifndef HEDDLE_HUNT_INLINE_FENCES_H
#define HEDDLE_HUNT_INLINE_FENCES_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace heddle::hunt {

struct InlineFences {
  std::map<std::string, unsigned> functions; // with so many such instructions each
  std::map<std::string, unsigned> kinds;     // "mfence", "lock", "xchg"
};

// Reads what objdump prints of a program, line by line.
class InlineFenceScan {
public:
  void Line(std::string_view line);
  InlineFences End();

private:
  void EndFunction();

  InlineFences found_;
  std::string function_;
  bool instrumented_ = false;
  std::map<std::string, unsigned> kinds_; // in the function
};

// From the program itself, which is not run. False if that cannot be told: there is no
// disassembler, or it fails.
bool FindInlineFencesIn(const std::string &path, InlineFences *fences);

// "a, b and 3 more".
std::string Names(const std::map<std::string, unsigned> &counts, unsigned most);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_INLINE_FENCES_H
