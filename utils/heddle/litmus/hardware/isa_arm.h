// The Arm instruction sets of 32 bits, A32 and T32: what their files share.
#ifndef HEDDLE_LITMUS_HARDWARE_ISA_ARM_H
#define HEDDLE_LITMUS_HARDWARE_ISA_ARM_H

#include "isa_arm_common.h"

namespace heddle::litmus::hardware::arm {

// Numbers of registers: r0 to r15, then the flags.
enum : int { kStackPointer = 13, kLinkRegister = 14, kProgramCounter = 15, kN, kZ, kC, kV };

std::optional<int> ParseRegister(const std::string &name);
// "{r4, r5-r7, lr}", in the order of their numbers; empty if it is no such list.
std::vector<int> ParseRegisterList(const std::string &text);

// An instruction that is being executed. Its condition, if it has one, holds.
class Execution : public TextExecution {
public:
  Execution(Machine *machine, const Instruction *instruction, const Word &condition)
      : TextExecution(machine, instruction), condition_(condition) {}

  int GetRegister(int index) const {
    return Expect(ParseRegister(operand(index)), "a core register", operand(index));
  }
  // The program counter is some instructions ahead.
  Word ReadRegister(int number) const;
  // A register or a number.
  Word Read(int index) const;
  bool IsShift(int index) const;
  // A register or a number, with a shift in the next operand. The carry is that of
  // the shift, or the flag as it was.
  struct Shifted {
    Word value, carry;
  };
  Shifted ReadShifted(int index) const;
  Shifted Shift(const Word &value, const std::string &kind, const Word &amount) const;
  // "r1", "r1, lsl #2" or "-r1" of an address; nothing for what is not.
  std::optional<Word> ParseOffset(const std::vector<std::string> &parts, size_t index) const;

  // Of 32 bits. To the program counter, a jump. What is written has a pick
  // dependency on the instruction's condition.
  void Write(int number, const Word &value);
  void WriteFlag(int flag, const Word &value);
  void SetAddFlags(const Word &x, const Word &y, const Word &carry);
  void SetLogicFlags(const Word &result, const Word &carry);

private:
  Word condition_;
};

// What an instruction changes if its condition holds, as bits: those then depend on
// the condition where it does not hold, too.
enum Effect : unsigned {
  kNone = 0,
  kWritesFirst = 1, // the register that is the first operand
  kSetsFlags = 2,
  kJumps = 4, // all that follows
};

struct Handler {
  std::function<void(Execution &)> execute;
  unsigned effects = kNone;
};
using Handlers = std::map<std::string, Handler>;

void AddDataHandlers(Handlers *handlers);
void AddMemoryHandlers(Handlers *handlers);

} // namespace heddle::litmus::hardware::arm

#endif // HEDDLE_LITMUS_HARDWARE_ISA_ARM_H
