// RISC-V code and the traces it makes.

#include "hardware_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

std::string TraceOf(const Lines &lines, const Lines &observed = {"a0"}, Value value = 1) {
  return TraceOf(MakeImage(Architecture::kRiscV, lines), {{"s0", kX}, {"x9", kY}, {"s2", kZ}},
                 observed, value);
}

// What is left in a0.
uint64_t Compute(const Lines &lines, const RegisterValues &registers) {
  return Compute(kRiscVInstructions, MakeImage(Architecture::kRiscV, lines), registers, "a0");
}

TEST(HardwareRiscV, KeepsDependenciesThroughRegisters) {
  EXPECT_EQ(TraceOf({"lw a0,0(s0)", "sw a0,0(s1)"}), "Rx=1 Wy=1 data(0,1) -> 1");
  EXPECT_EQ(TraceOf({"lw x10,0(x8)", "xor a1,a0,a0", "add a1,a1,s1", "lw a2,0(a1)"}),
            "Rx=1 Ry=1 addr(0,1) -> 1");
  EXPECT_EQ(TraceOf({"lw a0,0(s0)", "sw zero,0(s1)"}), "Rx=1 Wy=0 -> 1");
  // x0 takes no dependency.
  EXPECT_EQ(TraceOf({"lw a0,0(s0)", "add zero,a0,a0", "sw x0,0(s1)"}), "Rx=1 Wy=0 -> 1");
  EXPECT_EQ(TraceOf({"lw a0,0(s0)", "bnez a0, end", "sw a0,0(s1)", "end:", "sw zero,0(s2)"}),
            "Rx=1 Wz=0 ctrl(0,1) -> 1");
  EXPECT_EQ(TraceOf({"lw a0,0(s0)", "li a1, 2", "ble a1,a0, end", "sw a0,0(s1)", "end:", "nop"}),
            "Rx=1 Wy=1 data(0,1) ctrl(0,1) -> 1");
}

TEST(HardwareRiscV, TheStackCarriesDependencies) {
  EXPECT_EQ(TraceOf({"addi sp,sp,-16", "lw a0,0(s0)", "sw a0,12(sp)", "sd s1,0(sp)", "ld a2,0(sp)",
                     "lw a1,12(sp)", "sw a1,0(a2)", "li a0,0"}),
            "Rx=1 Wy=1 data(0,1) -> 0");
}

TEST(HardwareRiscV, Fences) {
  EXPECT_EQ(
      TraceOf({"fence", "fence rw,w", "fence r, rw", "fence iorw,ow", "fence.tso", "fence.i"}),
      "fence(rw,rw) fence(rw,w) fence(r,rw) fence(rw,w) tso fence.i -> 0");
  EXPECT_THROW(TraceOf({"fence rx,w"}), UnknownInstruction);
}

TEST(HardwareRiscV, ReservationsMakeAPair) {
  // What depends on the status depends on the write.
  EXPECT_EQ(TraceOf({"again:", "lr.w.aq a0,(s0)", "addi a1,a0,1", "sc.w.rl a2,a1,(s0)",
                     "bnez a2,again", "sw zero,0(s1)"},
                    {"a0", "a2"}),
            "Rx=1.acq.ex Wx=2.rel.ex Wy=0 data(0,1) ctrl(1,2) rmw(0,1) -> 1 0");
  EXPECT_EQ(TraceOf({"lr.w.aq.rl a0,0(s0)", "sc.w.aqrl a2,a1,0(s1)"}, {"a2"}),
            "Rx=1.acq.rel.ex -> 1");
}

TEST(HardwareRiscV, LoadAcquireAndStoreRelease) {
  EXPECT_EQ(TraceOf({"li a1,5", "sw.rl a1,(s0)", "lw.aq a0,0(s1)", "sw.aqrl a0,(s2)"}),
            "Wx=5.rel Ry=1.acq Wz=1.acq.rel data(1,2) -> 1");
  EXPECT_EQ(TraceOf({"lw.aq.rl a0,(s0)"}, {"a0"}, -1), "Rx=-1.acq.rel -> -1");
  EXPECT_THROW(TraceOf({"lw.rl a0,(s0)"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"sw.aq a0,(s0)"}), UnknownInstruction);
}

TEST(HardwareRiscV, AnAmoIsOneOperation) {
  EXPECT_EQ(TraceOf({"li a1,5", "amoadd.w.aq a0,a1,(s0)", "sw a0,0(s1)"}),
            "Rx=1.acq.at Wx=6.acq.at Wy=1 data(0,1) data(0,2) rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"li a1,5", "amoswap.w.aqrl zero,a1,(s0)"}),
            "Rx=1.acq.rel.at Wx=5.acq.rel.at rmw(0,1) -> 0");
  EXPECT_EQ(TraceOf({"li a1,-5", "amomaxu.w a0,a1,(s0)"}),
            "Rx=1.at Wx=-5.at data(0,1) rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"li a1,-5", "amomax.w a0,a1,(s0)"}),
            "Rx=1.at Wx=1.at data(0,1) rmw(0,1) -> 1");
}

TEST(HardwareRiscV, CallsAndReturns) {
  Image image =
      MakeImage(Architecture::kRiscV, {"mv s3, ra", "jal 0x10014 <f>", "sw a0, 0(s1)", "mv ra, s3",
                                       "ret", "auipc a1, 0x10", "lw a0, -0x14(a1) <x>", "jr ra"});
  EXPECT_EQ(TracesOfFunction(image, {{"s1", kY}}), (Lines{"Rx=1 Wy=1 data(0,1) -> 0 0"}));
}

TEST(HardwareRiscV, TheGlobalPointerIsWhatItsSymbolSays) {
  Image image = MakeImage(Architecture::kRiscV, {"lw a0, -0x7f0(gp) <y>", "ret"});
  image.symbols["__global_pointer$"] = kY + 0x7f0;
  EXPECT_EQ(TracesOfFunction(image, {}), (Lines{"Ry=1 -> 0 0"}));
}

TEST(HardwareRiscV, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(TraceOf({"fmv.x.w a0, fa0"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"lw fa0, 0(s0)"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"lw a0, s0"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"ld a0, 0(s0)"}), std::runtime_error);
}

TEST(HardwareRiscV, Arithmetic) {
  RegisterValues in = {{"a1", 0x80000005}, {"a2", 3}};
  EXPECT_EQ(Compute({"addw a0,a1,a2"}, in), 0xffffffff80000008u);
  EXPECT_EQ(Compute({"add a0,a1,a2"}, in), 0x80000008u);
  EXPECT_EQ(Compute({"sext.w a0,a1"}, in), 0xffffffff80000005u);
  EXPECT_EQ(Compute({"sraiw a0,a1,4"}, in), 0xfffffffff8000000u);
  EXPECT_EQ(Compute({"srliw a0,a1,4"}, in), 0x8000000u);
  EXPECT_EQ(Compute({"slli a0,a1,0x20", "srli a0,a0,0x21"}, in), 0x40000002u);
  EXPECT_EQ(Compute({"lui a0,0x80000"}, in), 0xffffffff80000000u);
  EXPECT_EQ(Compute({"sltiu a0,a2,4"}, in), 1u);
  EXPECT_EQ(Compute({"slt a0,a2,a1"}, in), 1u);
  EXPECT_EQ(Compute({"div a0,a2,zero"}, in), ~uint64_t{0});
  EXPECT_EQ(Compute({"rem a0,a1,a2"}, in), 0x80000005u % 3);
  EXPECT_EQ(Compute({"divw a0,a1,a2"}, in),
            static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(0x80000005) / 3)));
  EXPECT_EQ(Compute({"li a0,-1", "snez a0,a0"}, in), 1u);
  EXPECT_EQ(Compute({"c.li a0,7", "c.add a0,a2", "c.addi a0,-1"}, in), 9u);
}

} // namespace
