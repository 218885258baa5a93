// The text of instructions taken apart, in the dialects of llvm-objdump and of
// litmus tests.

#include "heddle/litmus/hardware/instruction.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus::hardware;
using Strings = std::vector<std::string>;

TEST(HardwareInstruction, SplitsOperandsOutsideOfBrackets) {
  Instruction load = ParseInstruction(0x100, "LDR\tW0, [X1, #4]");
  EXPECT_EQ(load.address, 0x100u);
  EXPECT_EQ(load.size, 4);
  EXPECT_EQ(load.mnemonic, "ldr");
  EXPECT_EQ(load.operands, (Strings{"w0", "[x1, #4]"}));
  EXPECT_EQ(load.text, "LDR W0, [X1, #4]");
  EXPECT_EQ(ParseInstruction(0, "push {r4, lr}").operands, (Strings{"{r4, lr}"}));
  EXPECT_EQ(ParseInstruction(0, "ldr w0,[x1],#4").operands, (Strings{"w0", "[x1]", "#4"}));
  EXPECT_EQ(ParseInstruction(0, "movl %eax, 8(%rax,%rcx,4)").operands,
            (Strings{"%eax", "8(%rax,%rcx,4)"}));
  EXPECT_TRUE(ParseInstruction(0, "ret").operands.empty());
}

TEST(HardwareInstruction, LeavesOutCommentsAndSymbols) {
  EXPECT_EQ(ParseInstruction(0, "b.ne\t0x10158 <P0+0x14>").operands, (Strings{"0x10158"}));
  EXPECT_EQ(ParseInstruction(0, "mov w8, #0x1 // =1").operands, (Strings{"w8", "#0x1"}));
  EXPECT_EQ(ParseInstruction(0, "ldr r0, [pc, #8] @ 0x10168 <P0+0x14>").operands,
            (Strings{"r0", "[pc, #8]"}));
  EXPECT_EQ(ParseInstruction(0, "movl 0x1eb2(%rip), %eax  # 0x203000 <x>").operands,
            (Strings{"0x1eb2(%rip)", "%eax"}));
  EXPECT_EQ(ParseInstruction(0, "<unknown>").mnemonic, "<unknown>");
}

TEST(HardwareInstruction, KeepsPrefixesWithTheMnemonic) {
  Instruction locked = ParseInstruction(0, "lock\t\tcmpxchgl\t%ecx, (%rdx)", 4);
  EXPECT_EQ(locked.mnemonic, "lock cmpxchgl");
  EXPECT_EQ(locked.operands, (Strings{"%ecx", "(%rdx)"}));
}

TEST(HardwareInstruction, RefusesNothing) {
  EXPECT_THROW(ParseInstruction(0, "  // only this"), UnknownInstruction);
}

TEST(HardwareInstruction, ReadsNumbers) {
  EXPECT_EQ(ParseNumber("#12"), 12);
  EXPECT_EQ(ParseNumber("$0x10"), 16);
  EXPECT_EQ(ParseNumber("#-0x4"), -4);
  EXPECT_EQ(ParseNumber("0xffffffffffffffff"), -1);
  EXPECT_EQ(ParseNumber("010"), 10);
  EXPECT_EQ(ParseNumber("w0"), std::nullopt);
  EXPECT_EQ(ParseNumber("4w"), std::nullopt);
  EXPECT_EQ(ParseNumber(""), std::nullopt);
}

TEST(HardwareInstruction, ResolvesLabelsInAnyCase) {
  Image image;
  image.symbols["LC00"] = 0x20;
  EXPECT_EQ(ResolveTarget(image, "0x10158"), 0x10158u);
  EXPECT_EQ(ResolveTarget(image, "lc00"), 0x20u);
  EXPECT_THROW(ResolveTarget(image, "lc01"), UnknownInstruction);
}

} // namespace
