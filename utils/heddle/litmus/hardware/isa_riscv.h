// The RISC-V instruction set: what its files share.
#ifndef HEDDLE_LITMUS_HARDWARE_ISA_RISCV_H
#define HEDDLE_LITMUS_HARDWARE_ISA_RISCV_H

#include "execute.h"
#include "instruction.h"

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace heddle::litmus::hardware::riscv {

// Registers have their own numbers, x0 to x31.
enum : int { kReturnRegister = 1, kStackPointer = 2, kGlobalPointer = 3 };

// "x10" or "a0".
std::optional<int> ParseRegister(const std::string &name);

// An instruction that is being executed.
class Execution {
public:
  Execution(Machine *machine, const Instruction *instruction)
      : machine(*machine), instruction(*instruction) {}

  int count() const { return instruction.operands.size(); }
  // These throw UnknownInstruction if the operand is another or missing.
  const std::string &operand(int index) const;
  int GetRegister(int index) const;
  int64_t GetNumber(int index) const;
  uint64_t GetTarget(int index) const;
  Word GetAddress(int index) const; // "4(a0)"
  // A register or a number.
  Word Read(int index) const;
  // To x0, nothing.
  void Write(int number, const Word &value);

  [[noreturn]] void Unknown(const std::string &what) const { ThrowUnknown(instruction, what); }

  Machine &machine;
  const Instruction &instruction;
};

using Handler = std::function<void(Execution &)>;
using Handlers = std::map<std::string, Handler>;

void AddAtomicHandlers(Handlers *handlers);

} // namespace heddle::litmus::hardware::riscv

#endif // HEDDLE_LITMUS_HARDWARE_ISA_RISCV_H
