// The RISC-V instruction set: what its files share.
#ifndef HEDDLE_LITMUS_HARDWARE_ISA_RISCV_H
#define HEDDLE_LITMUS_HARDWARE_ISA_RISCV_H

#include "isa_execution.h"

namespace heddle::litmus::hardware::riscv {

// Registers have their own numbers, x0 to x31.
enum : int { kReturnRegister = 1, kStackPointer = 2, kGlobalPointer = 3 };

// "x10" or "a0".
std::optional<int> ParseRegister(const std::string &name);

// An instruction that is being executed.
class Execution : public TextExecution {
public:
  using TextExecution::TextExecution;

  int GetRegister(int index) const {
    return Expect(ParseRegister(operand(index)), "an integer register", operand(index));
  }
  Word GetAddress(int index) const; // "4(a0)"
  // A register or a number.
  Word Read(int index) const;
  // To x0, nothing.
  void Write(int number, const Word &value);
};

using Handler = std::function<void(Execution &)>;
using Handlers = std::map<std::string, Handler>;

void AddAtomicHandlers(Handlers *handlers);

} // namespace heddle::litmus::hardware::riscv

#endif // HEDDLE_LITMUS_HARDWARE_ISA_RISCV_H
