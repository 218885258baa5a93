// A32 and T32 code and the traces it makes.

#include "hardware_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

std::string TraceOf(const Lines &lines, const Lines &observed = {"r0"}, Value value = 1) {
  return TraceOf(MakeImage(Architecture::kArm, lines), {{"r1", kX}, {"r3", kY}, {"r5", kZ}},
                 observed, value);
}

TEST(HardwareArm, KeepsDependenciesThroughRegisters) {
  EXPECT_EQ(TraceOf({"LDR R0,[R1]", "EOR R2,R0,R0", "LDR R4,[R3,R2]"}), "Rx=1 Ry=1 addr(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr r0, [r1]", "adds r2, r0, #1", "str r2, [r3]"}),
            "Rx=1 Wy=2 data(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr r0, [r1]", "cmp r0, #0", "bne end", "str r0, [r3]", "end:", "isb"}),
            "Rx=1 isb ctrl(0,1) -> 1");
  EXPECT_EQ(TraceOf({"push {r5, lr}", "ldr r0, [r1]", "str r0, [sp, #-8]!", "ldr r2, [sp], #8",
                     "pop {r6, r7}", "str r2, [r6]"}),
            "Rx=1 Wz=1 data(0,1) -> 1");
}

TEST(HardwareArm, BlocksOfRegisters) {
  // One word further on than stm, and stmdb.
  EXPECT_EQ(TraceOf({"sub r4, sp, #64", "mov r7, #7", "stmib r4, {r1, r7}", "ldr r6, [r4, #8]",
                     "str r6, [r3]", "ldmib r4!, {r1, r7}", "str r7, [r1]", "sub r4, r4, #8",
                     "add r4, r4, #8", "stmda r4, {r7}", "ldr r6, [r4]", "str r6, [r5]"},
                    {"r7"}),
            "Wy=7 Wx=7 Wz=7 -> 7");
}

TEST(HardwareArm, AConditionalInstructionAloneDependsOnItsCondition) {
  Lines lines = {"ldr r0, [r1]", "cmp r0, #1", "it eq", "streq r7, [r3]", "str r7, [r5]"};
  EXPECT_EQ(TraceOf(lines, {"r0"}, 1), "Rx=1 Wy=0 Wz=0 ctrl(0,1) -> 1");
  EXPECT_EQ(TraceOf(lines, {"r0"}, 0), "Rx=0 Wz=0 -> 0");
  // What would have been written depends on the condition, written or not.
  Lines moves = {"ldr r0, [r1]", "cmp r0, #1", "moveq r2, #5", "str r2, [r3]", "str r7, [r5]"};
  EXPECT_EQ(TraceOf(moves, {"r0"}, 1), "Rx=1 Wy=5 Wz=0 ctrl(0,1) -> 1");
  EXPECT_EQ(TraceOf(moves, {"r0"}, 0), "Rx=0 Wy=0 Wz=0 ctrl(0,1) -> 0");
  // A conditional return rules all that follows.
  EXPECT_EQ(TraceOf({"ldr r0, [r1]", "cmp r0, #1", "bxne lr", "str r7, [r5]"}),
            "Rx=1 Wz=0 ctrl(0,1) -> 1");
}

TEST(HardwareArm, OrdersAndExclusives) {
  EXPECT_EQ(TraceOf({"dmb ish", "DMB", "dmb ishst", "dmb ishld", "dsb sy", "isb sy"}),
            "full full store load full isb -> 0");
  EXPECT_EQ(TraceOf({"dmb un", "dsb unst"}), "full store-dsb -> 0");
  EXPECT_EQ(TraceOf({"lda r0, [r1]", "stl r0, [r3]"}), "Rx=1.acq Wy=1.rel data(0,1) -> 1");
  EXPECT_EQ(TraceOf({"again:", "ldaex r0, [r1]", "add r2, r0, #1", "stlex r4, r2, [r1]",
                     "cmp r4, #0", "bne again", "str r4, [r3]"}),
            "Rx=1.acq.ex Wx=2.rel.ex Wy=0 data(0,1) rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldrex r0, [r1]", "strex r4, r2, [r3]"}, {"r4"}), "Rx=1.ex -> 1");
}

TEST(HardwareArm, TheProgramCounterIsAhead) {
  // Eight bytes in A32.
  Image image = MakeImage(Architecture::kArm,
                          {"ldr r2, [pc, #8]", "add r2, pc, r2", "ldr r0, [r2]", "bx lr"});
  image.data.push_back({0x10010, {0xf4, 0xff, 0, 0}});
  EXPECT_EQ(TracesOfFunction(image, {}), (Lines{"Rx=1 -> 0 0"}));
  // Four in T32, and a literal's address is a multiple of four.
  image = MakeImage(Architecture::kArm,
                    {"nop", "ldr r2, [pc, #4]", "add r2, pc", "ldr r0, [r2]", "bx lr"}, 2);
  image.data.push_back({0x10008, {0xf8, 0xff, 0, 0}});
  EXPECT_EQ(TracesOfFunction(image, {}), (Lines{"Rx=1 -> 0 0"}));
}

TEST(HardwareArm, Arithmetic) {
  EXPECT_EQ(TraceOf({"mvn r0, #1", "adds r0, #2", "adc r0, r0, #0"}), "-> 1");
  EXPECT_EQ(TraceOf({"mov r2, #3", "lsrs r2, r2, #1", "rrx r0, r2"}), "-> -2147483648");
  EXPECT_EQ(TraceOf({"movw r0, #0x5678", "movt r0, #0x1234"}), "-> 305419896");
  EXPECT_EQ(TraceOf({"mov r2, #3", "rsb r0, r2, #0"}), "-> -3");
  EXPECT_EQ(TraceOf({"mov r2, #3", "add r0, r2, r2, lsl #1"}), "-> 9");
  EXPECT_EQ(TraceOf({"mov r2, #0", "clz r0, r2", "lsr r0, r0, #5"}), "-> 1");
  EXPECT_EQ(TraceOf({"mvn r2, #0", "umull r4, r0, r2, r2"}), "-> -2");
  EXPECT_EQ(TraceOf({"mov r2, #1", "cmp r2, #2", "movlt r0, #7", "movge r0, #8"}), "-> 7");
  EXPECT_EQ(TraceOf({"mov r2, #1", "cmp r2, #2", "movhs r0, #7", "movlo r0, #8"}), "-> 8");
  EXPECT_EQ(TraceOf({"cmp r2, #2", "moval r0, #7"}), "-> 7");
}

TEST(HardwareArm, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(TraceOf({"vmov s0, r0"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"fooeq r0"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"add r0, r77"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"dmb foo"}), UnknownInstruction);
}

} // namespace
