// What an instruction set is to the machine. Execute itself is in code.h.
#ifndef HEDDLE_LITMUS_HARDWARE_EXECUTE_H
#define HEDDLE_LITMUS_HARDWARE_EXECUTE_H

#include "machine.h"

#include <string>

namespace heddle::litmus::hardware {

struct InstructionSet {
  // The number of a register by any of its names ("w3" is "x3"), or -1.
  int (*register_number)(const std::string &name);
  // Puts the return address and the stack where a function expects them.
  void (*begin)(Machine &machine, uint64_t stack, uint64_t return_address);
  // Executes one instruction. Throws UnknownInstruction.
  void (*step)(Machine &machine, const Instruction &instruction);
};

extern const InstructionSet kAArch64Instructions;
extern const InstructionSet kArmInstructions;
extern const InstructionSet kRiscVInstructions;
extern const InstructionSet kX86Instructions;

const InstructionSet &GetInstructionSet(Architecture architecture);

// What a litmus test sees of a register: 32 bits with their sign, whether an instruction has
// extended them by the sign or with zeros; all 64 where there is more in them.
inline Value ObservedValue(uint64_t value) {
  return value >> 32 ? static_cast<Value>(value) : SignExtend(value, 32);
}

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_EXECUTE_H
