// x86-64 code and the traces it makes.

#include "hardware_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

std::string TraceOf(const Lines &lines, const Lines &observed = {"eax"}, Value value = 1) {
  Image image = MakeImage(Architecture::kX86, lines);
  image.symbols["x"] = kX;
  return TraceOf(image, {{"rdi", kX}, {"rsi", kY}, {"r8", kZ}}, observed, value);
}

TEST(HardwareX86, LoadsAndStores) {
  EXPECT_EQ(TraceOf({"movl (%rdi), %eax", "movl %eax, (%rsi)", "movl $0x7, (%r8)"}),
            "Rx=1 Wy=1 Wz=7 data(0,1) -> 1");
  EXPECT_EQ(TraceOf({"movl $-0x1, (%rdi)", "movl 0xfff8(%rip), %eax # 0x20000 <x>"}),
            "Wx=-1 Rx=1 -> 1");
  // As litmus tests write it.
  EXPECT_EQ(TraceOf({"MOV [x],$2", "MOV EAX,[x]", "MFENCE"}), "Wx=2 Rx=1 mfence -> 1");
  EXPECT_EQ(TraceOf({"xorl %eax, %eax", "movl 0x10(%rdi,%rax,4), %eax"}), "Ry=1 -> 1");
}

TEST(HardwareX86, LockedInstructionsAreOneOperation) {
  Lines with_line = {"movl $0x5, %eax", "lock", "xaddl %eax, (%rdi)"};
  EXPECT_EQ(TraceOf(with_line), "Rx=1.at Wx=6.at data(0,1) rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"movl $0x5, %eax", "lock xaddl %eax, (%rdi)"}),
            "Rx=1.at Wx=6.at data(0,1) rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"lock", "orl $0x6, (%rdi)"}), "Rx=1.at Wx=7.at data(0,1) rmw(0,1) -> 0");
  EXPECT_EQ(TraceOf({"lock", "decl (%rdi)"}), "Rx=1.at Wx=0.at data(0,1) rmw(0,1) -> 0");
  // The prefix is for one instruction.
  EXPECT_EQ(TraceOf({"lock", "incl (%rdi)", "incl (%rsi)"}),
            "Rx=1.at Wx=2.at Ry=1 Wy=2 data(0,1) data(2,3) rmw(0,1) -> 0");
  EXPECT_EQ(TraceOf({"movl $0x5, %eax", "xchgl %eax, (%rdi)"}), "Rx=1.at Wx=5.at rmw(0,1) -> 1");
}

TEST(HardwareX86, ALockedInstructionOnPrivateMemoryIsAFence) {
  EXPECT_EQ(TraceOf({"lock", "orq $0x0, (%rsp)"}), "mfence -> 0");
}

TEST(HardwareX86, CompareAndExchange) {
  Lines lines = {"movl $0x1, %eax", "movl $0x2, %ecx", "lock", "cmpxchgl %ecx, (%rdi)", "sete %dl"};
  EXPECT_EQ(TraceOf(lines, {"eax", "edx"}, 1), "Rx=1.at Wx=2.at rmw(0,1) -> 1 1");
  EXPECT_EQ(TraceOf(lines, {"eax", "edx"}, 3), "Rx=3.at mfence -> 3 0");
}

TEST(HardwareX86, TheStackAndCalls) {
  Image image = MakeImage(Architecture::kX86,
                          {"pushq %rbp", "movq %rsp, %rbp", "callq 0x10020 <f>",
                           "movl %eax, -0x4(%rbp)", "movl -0x4(%rbp), %ecx", "movl %ecx, (%rsi)",
                           "popq %rbp", "retq", "movl (%rdi), %eax", "retq"});
  EXPECT_EQ(TracesOfFunction(image, {{"rdi", kX}, {"rsi", kY}}),
            (Lines{"Rx=1 Wy=1 data(0,1) -> 0 0"}));
}

TEST(HardwareX86, PartsOfRegisters) {
  EXPECT_EQ(TraceOf({"movq $-1, %rax", "movl $0x0, %eax", "notq %rax", "shrq $0x20, %rax"}),
            "-> -1");
  EXPECT_EQ(TraceOf({"movl $0x1234, %eax", "movb $0x56, %al", "movb $0x78, %ah"}), "-> 30806");
  EXPECT_EQ(TraceOf({"movl $0x80, %ecx", "movsbl %cl, %eax"}), "-> -128");
  EXPECT_EQ(TraceOf({"movl $0x80, %ecx", "movzbl %cl, %eax"}), "-> 128");
}

TEST(HardwareX86, Conditions) {
  auto holds = [](const std::string &x, const std::string &y, const std::string &condition) {
    return TraceOf({"movl $" + x + ", %ecx", "cmpl $" + y + ", %ecx", "set" + condition + " %al"});
  };
  EXPECT_EQ(holds("1", "1", "e"), "-> 1");
  EXPECT_EQ(holds("1", "2", "l"), "-> 1");
  EXPECT_EQ(holds("-1", "2", "l"), "-> 1");
  EXPECT_EQ(holds("-1", "2", "b"), "-> 0");
  EXPECT_EQ(holds("-1", "2", "a"), "-> 1");
  EXPECT_EQ(holds("0x80000000", "1", "o"), "-> 1");
  EXPECT_EQ(holds("2", "1", "g"), "-> 1");
  EXPECT_EQ(holds("1", "1", "ge"), "-> 1");
  EXPECT_EQ(holds("1", "2", "s"), "-> 1");
  EXPECT_EQ(TraceOf({"movl (%rdi), %eax", "testl %eax, %eax", "jne end", "movl $0x1, (%rsi)",
                     "end:", "mfence"}),
            "Rx=1 mfence ctrl(0,1) -> 1");
  EXPECT_EQ(TraceOf({"movl $0x3, %ecx", "testl %ecx, %ecx", "cmovnel %ecx, %eax"}), "-> 3");
}

TEST(HardwareX86, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(TraceOf({"movd %xmm0, %eax"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"movl %fs:0x28, %eax"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"movl %eax, %xmm0"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"movq (%rdi), %rax"}), std::runtime_error);
}

} // namespace
