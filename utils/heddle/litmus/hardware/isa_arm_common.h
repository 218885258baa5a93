// What AArch64 and the Arm instruction sets of 32 bits have in common: the flags and
// the conditions on them, addresses in brackets, and the kinds of barriers.
#ifndef HEDDLE_LITMUS_HARDWARE_ISA_ARM_COMMON_H
#define HEDDLE_LITMUS_HARDWARE_ISA_ARM_COMMON_H

#include "isa_execution.h"

#include <array>

namespace heddle::litmus::hardware {

// N, Z, C and V, which have numbers of registers in this order.
constexpr int kArmFlags = 4;

// Each condition, and then its negation.
inline constexpr const char *kArmConditions[] = {"eq", "ne", "cs", "cc", "hs", "lo", "mi", "pl",
                                                 "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"};

// Whether a condition, or "al", holds, with the flags from the register `flags` on; none
// if it is no condition.
std::optional<Word> EvaluateArmCondition(const Machine &machine, int flags,
                                         const std::string &name);

// Those of x + y + carry.
std::array<Word, kArmFlags> ArmSumFlags(const Word &x, const Word &y, const Word &carry, int bits);

// An operand like "[x1, #4]!": what is in the brackets, at least a base register, and
// whether that becomes the sum.
struct BracketedAddress {
  std::vector<std::string> parts;
  bool writes_back = false;
};
// Throws UnknownInstruction if the operand is another.
BracketedAddress GetBrackets(const TextExecution &e, int index);

// What "dmb" and "dsb" do. All processors are in every domain, so that those make no
// difference. A dsb orders all that a dmb does, and what it waits for besides is not
// seen by loads and stores.
void AddArmBarrier(const TextExecution &e, const std::string &kind);

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_ISA_ARM_COMMON_H
