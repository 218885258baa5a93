// The AArch64 instruction set: what its files share.
#ifndef HEDDLE_LITMUS_HARDWARE_ISA_AARCH64_H
#define HEDDLE_LITMUS_HARDWARE_ISA_AARCH64_H

#include "isa_arm_common.h"

namespace heddle::litmus::hardware::aarch64 {

// Numbers of registers: x0 to x30, then
enum : int { kLinkRegister = 30, kStackPointer = 31, kN, kZ, kC, kV, kZeroRegister };

struct Register {
  int number;
  int bits; // 64 or 32
};
std::optional<Register> ParseRegister(const std::string &name);

// An instruction that is being executed.
class Execution : public TextExecution {
public:
  using TextExecution::TextExecution;

  Register GetRegister(int index) const {
    return Expect(ParseRegister(operand(index)), "a general-purpose register", operand(index));
  }
  int bits(int index) const { return GetRegister(index).bits; }

  Word Read(Register reg) const;
  // A register or a number.
  Word Read(int index) const;
  // A register or a number, with a shift or an extension in the next operand.
  Word ReadShifted(int index, int bits) const;
  // "lsl #2", "sxtw" or "" applied to a value.
  Word Shift(const Word &value, const std::string &how, int bits) const;
  // To 32 bits, the others become 0. To the zero register, nothing.
  void Write(Register reg, const Word &value);
  void Write(int index, const Word &value) { Write(GetRegister(index), value); }

  // x + y + carry, as SetAddFlags's result too.
  void SetAddFlags(const Word &x, const Word &y, const Word &carry, int bits);
  void SetLogicFlags(const Word &result, int bits);
  // Whether "eq", "ne" and so on holds.
  Word Condition(const std::string &name) const;
};

using Handler = std::function<void(Execution &)>;
using Handlers = std::map<std::string, Handler>;

void AddDataHandlers(Handlers *handlers);
void AddMemoryHandlers(Handlers *handlers);
void AddAtomicHandlers(Handlers *handlers);

} // namespace heddle::litmus::hardware::aarch64

#endif // HEDDLE_LITMUS_HARDWARE_ISA_AARCH64_H
