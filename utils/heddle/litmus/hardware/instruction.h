// The text of instructions, as disassemblers and litmus tests write it.
#ifndef HEDDLE_LITMUS_HARDWARE_INSTRUCTION_H
#define HEDDLE_LITMUS_HARDWARE_INSTRUCTION_H

#include "code.h"

#include <optional>
#include <string>

namespace heddle::litmus::hardware {

// Takes an instruction apart: "ldr w0, [x1, #4]" has the mnemonic "ldr" and the
// operands "w0" and "[x1, #4]". All is made lower case but `text`. Left out are
// comments (";", "//", "@" or "#" before a space) and what llvm-objdump says of an
// address ("<P0+0x14>"). A prefix of x86 belongs to the mnemonic: "lock cmpxchgl".
// Throws UnknownInstruction where there is no mnemonic.
Instruction ParseInstruction(uint64_t address, const std::string &text, int size = 4);

// "#12", "$0x10", "-4" or "0x10": a number, or nothing.
std::optional<int64_t> ParseNumber(const std::string &text);

// At commas outside of brackets, parentheses and braces; without spaces around.
std::vector<std::string> SplitOperands(const std::string &text);

// An address or the name of a symbol, in any case. Throws UnknownInstruction.
uint64_t ResolveTarget(const Image &image, const std::string &target);
// The same for an operand of an instruction, which is then named.
uint64_t ResolveTarget(const Image &image, const Instruction &instruction,
                       const std::string &target);

// "unknown instruction 'foo x0' at 0x1234: WHAT".
[[noreturn]] void ThrowUnknown(const Instruction &instruction, const std::string &what);

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_INSTRUCTION_H
