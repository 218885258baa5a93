// AArch64 code and the traces it makes.

#include "hardware_testing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

const RegisterValues kRegisters = {{"x1", kX}, {"x3", kY}, {"x5", kZ}};

std::string TraceOf(const Lines &lines, const Lines &observed = {"w0"}, Value value = 1) {
  return TraceOf(MakeImage(Architecture::kAArch64, lines), kRegisters, observed, value);
}

// What an instruction leaves in x0.
uint64_t Compute(const Lines &lines, const RegisterValues &registers) {
  return Compute(kAArch64Instructions, MakeImage(Architecture::kAArch64, lines), registers, "x0");
}

TEST(HardwareAArch64, ForksOverTheValuesOfALoad) {
  Image image = MakeImage(Architecture::kAArch64, {"LDR W0,[X1]", "LDR W2,[X3]"});
  Entry entry = MakeEntry(image, kRegisters, {"x0", "x2"});
  EXPECT_EQ(
      Describe(Execute(image, entry, {{0, -1}, {2, 3}, {}})),
      (Lines{"Rx=-1 Ry=2 -> -1 2", "Rx=-1 Ry=3 -> -1 3", "Rx=0 Ry=2 -> 0 2", "Rx=0 Ry=3 -> 0 3"}));
  EXPECT_TRUE(Execute(image, entry, {{1}, {}, {}}).empty());
}

TEST(HardwareAArch64, KeepsDependenciesThroughRegisters) {
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "str w0, [x3]"}), "Rx=1 Wy=1 data(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "eor w2, w0, w0", "ldr w4, [x3, w2, sxtw]"}),
            "Rx=1 Ry=1 addr(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "eor w2, w0, w0", "add w2, w2, #1", "str w2, [x3]"}),
            "Rx=1 Wy=1 data(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "mov w0, #7", "str w0, [x3]"}), "Rx=1 Wy=7 -> 7");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "str wzr, [x3]"}), "Rx=1 Wy=0 -> 1");
  // All that follows a load depends on it by way of the load alone.
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "eor w2, w0, w0", "ldr w4, [x3, x2]", "str w4, [x5]"}),
            "Rx=1 Ry=1 Wz=1 addr(0,1) data(1,2) -> 1");
}

TEST(HardwareAArch64, ControlDependsOnBothSidesOfABranch) {
  Lines lines = {"ldr w0, [x1]", "cbnz w0, LC00", "LC00:", "mov w2, #1", "str w2, [x3]"};
  EXPECT_EQ(TraceOf(lines, {"w0"}, 0), "Rx=0 Wy=1 ctrl(0,1) -> 0");
  EXPECT_EQ(TraceOf(lines, {"w0"}, 1), "Rx=1 Wy=1 ctrl(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "cmp w0, #1", "b.ne end", "str w0, [x3]", "end:", "isb"}),
            "Rx=1 Wy=1 isb data(0,1) ctrl(0,1) ctrl(0,2) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "cmp w0, #1", "b.eq end", "str w0, [x3]", "end:", "isb"}),
            "Rx=1 isb ctrl(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "tbnz w0, #0, end", "str w0, [x3]", "end:", "isb"}),
            "Rx=1 isb ctrl(0,1) -> 1");
}

TEST(HardwareAArch64, SelectsHavePickDependencies) {
  // The flags' reads order the write of the data, and no read at the address.
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "cmp w0, #1", "cset w2, eq", "str w2, [x3]", "str w2, [x5]"}),
            "Rx=1 Wy=1 Wz=1 ctrl(0,1) ctrl(0,2) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "cmp w0, #1", "cset w2, eq", "str w2, [x3]", "str wzr, [x5]"}),
            "Rx=1 Wy=1 Wz=0 ctrl(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "cmp w0, #1", "csel x2, x3, x5, eq", "str wzr, [x2]",
                     "str wzr, [x5]"}),
            "Rx=1 Wy=0 Wz=0 ctrl(0,1) ctrl(0,2) -> 1");
  // The source that is chosen matters, the other does not.
  Lines lines = {"ldr w0, [x1]", "ldr w2, [x3]", "cmp w7, #0", "csel w4, w0, w2, eq",
                 "str w4, [x5]"};
  EXPECT_EQ(TraceOf(lines), "Rx=1 Ry=1 Wz=1 data(0,2) -> 1");
}

// w2 has a pick dependency on the read of x; then come `lines`.
std::string AfterPick(const Lines &lines) {
  Lines all = {"ldr w0, [x1]", "cmp w0, #1", "cset w2, eq"};
  all.insert(all.end(), lines.begin(), lines.end());
  return TraceOf(all);
}

TEST(HardwareAArch64, PickDependenciesLeadThroughSharedMemory) {
  EXPECT_EQ(AfterPick({"str w2, [x5]", "ldr w4, [x5]", "str w4, [x3]", "str wzr, [x1]"}),
            "Rx=1 Wz=1 Rz=1 Wy=1 Wx=0 data(2,3) ctrl(0,1) ctrl(0,3) -> 1");
  EXPECT_EQ(AfterPick({"str w2, [x5]", "str wzr, [x5]", "ldr w4, [x5]", "str w4, [x3]"}),
            "Rx=1 Wz=1 Wz=0 Rz=1 Wy=1 data(3,4) ctrl(0,1) -> 1");
  // An acquire orders later writes; the barrier and the read are not behind the pick.
  EXPECT_EQ(AfterPick({"str w2, [x5]", "ldapr w4, [x5]", "isb", "ldr w4, [x1]", "str wzr, [x3]"}),
            "Rx=1 Wz=1 Rz=1.pc isb Rx=1 Wy=0 ctrl(0,1) ctrl(0,5) -> 1");
  // So does one behind a read-modify-write whose read it was.
  EXPECT_EQ(AfterPick({"str w2, [x5]", "swp w7, w4, [x5]", "ldar w4, [x5]", "str wzr, [x3]"}),
            "Rx=1 Wz=1 Rz=1.at Wz=0.at Rz=1.acq Wy=0 ctrl(0,1) ctrl(0,5) rmw(2,3) -> 1");
  EXPECT_EQ(AfterPick({"str w2, [x5]", "swp w7, w4, [x5]", "ldr w4, [x5]", "str wzr, [x3]"}),
            "Rx=1 Wz=1 Rz=1.at Wz=0.at Rz=1 Wy=0 ctrl(0,1) rmw(2,3) -> 1");
  EXPECT_EQ(AfterPick({"str w2, [x5]", "ldxr w4, [x5]", "stxr w6, w7, [x5]", "ldar w4, [x5]",
                       "str wzr, [x3]"}),
            "Rx=1 Wz=1 Rz=1.ex Wz=0.ex Rz=1.acq Wy=0 ctrl(0,1) ctrl(0,5) rmw(2,3) -> 1");
}

TEST(HardwareAArch64, OrdersOfAccesses) {
  EXPECT_EQ(TraceOf({"ldar w0, [x1]", "ldapr w2, [x3]", "stlr w7, [x5]"}),
            "Rx=1.acq Ry=1.pc Wz=0.rel -> 1");
  EXPECT_EQ(TraceOf({"dmb ish", "dmb ishld", "dmb ishst", "dsb sy", "isb"}),
            "full load store full isb -> 0");
}

TEST(HardwareAArch64, ExclusivesMakeAPair) {
  EXPECT_EQ(TraceOf({"ldaxr w0, [x1]", "add w2, w0, #1", "stlxr w4, w2, [x1]", "cbnz w4, again",
                     "str wzr, [x3]", "again:", "nop"},
                    {"w0", "w4"}),
            "Rx=1.acq.ex Wx=2.rel.ex Wy=0 data(0,1) rmw(0,1) -> 1 0");
  // There is no pair with another location, nor without a load.
  EXPECT_EQ(TraceOf({"ldxr w0, [x1]", "stxr w4, w2, [x3]"}, {"w4"}), "Rx=1.ex -> 1");
  EXPECT_EQ(TraceOf({"stxr w4, w2, [x3]"}, {"w4"}), "-> 1");
  EXPECT_EQ(TraceOf({"ldxr w0, [x1]", "clrex", "stxr w4, w2, [x1]"}, {"w4"}), "Rx=1.ex -> 1");
}

TEST(HardwareAArch64, AtomicInstructions) {
  EXPECT_EQ(TraceOf({"mov w2, #5", "ldaddal w2, w0, [x1]", "str w0, [x3]"}),
            "Rx=1.acq.at Wx=6.rel.at Wy=1 data(0,1) data(0,2) rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"mov w2, #5", "swpa w2, w0, [x1]"}), "Rx=1.acq.at Wx=5.at rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"mov w2, #5", "ldclrl w2, w0, [x1]"}, {"w0"}, 7),
            "Rx=7.at Wx=2.rel.at data(0,1) rmw(0,1) -> 7");
  EXPECT_EQ(TraceOf({"mov w2, #-3", "ldsmin w2, w0, [x1]"}),
            "Rx=1.at Wx=-3.at data(0,1) rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"mov w2, #-3", "ldumax w2, w0, [x1]"}),
            "Rx=1.at Wx=-3.at data(0,1) rmw(0,1) -> 1");
  // Neither returns what it reads.
  EXPECT_EQ(TraceOf({"mov w2, #5", "staddl w2, [x1]"}),
            "Rx=1.at.noret Wx=6.rel.at data(0,1) rmw(0,1) -> 0");
  EXPECT_EQ(TraceOf({"mov w2, #5", "ldadda w2, wzr, [x1]"}),
            "Rx=1.at.noret Wx=6.at data(0,1) rmw(0,1) -> 0");
}

TEST(HardwareAArch64, CompareAndSwapWritesIfEqual) {
  EXPECT_EQ(TraceOf({"mov w0, #1", "mov w2, #2", "casal w0, w2, [x1]"}),
            "Rx=1.acq.at Wx=2.rel.at rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"mov w0, #3", "mov w2, #2", "casal w0, w2, [x1]"}), "Rx=1.acq.at -> 1");
}

TEST(HardwareAArch64, CompareAndSwapMayKeepItsRegister) {
  EXPECT_EQ(TraceOf({"mov w0, #1", "cas w0, w2, [x1]", "str w0, [x3]"}),
            "Rx=1.at Wx=0.at Wy=1 ctrl(0,2) rmw(0,1) -> 1");
  EXPECT_EQ(TraceOf({"mov w0, #3", "cas w0, w2, [x1]", "str w0, [x3]"}),
            "Rx=1.at Wy=1 data(0,1) -> 1");
  // The register depends on one read or on the other.
  Image image =
      MakeImage(Architecture::kAArch64, {"ldr w0, [x3]", "cas w0, w2, [x1]", "str w0, [x5]"});
  EXPECT_EQ(Describe(Execute(image, MakeEntry(image, kRegisters, {"w0"}), Only(1))),
            (Lines{"Ry=1 Rx=1.at Wx=0.at Wz=1 data(1,3) ctrl(0,2) rmw(1,2) -> 1",
                   "Ry=1 Rx=1.at Wx=0.at Wz=1 data(0,3) ctrl(0,2) ctrl(1,3) rmw(1,2) -> 1"}));
}

TEST(HardwareAArch64, TheStackCarriesDependencies) {
  EXPECT_EQ(TraceOf({"sub sp, sp, #16", "ldr w0, [x1]", "str w0, [sp, #12]", "ldr w2, [sp, #12]",
                     "str w2, [x3]", "add sp, sp, #16"}),
            "Rx=1 Wy=1 data(0,1) -> 1");
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "stp x0, x3, [sp, #-16]!", "ldp x4, x6, [sp], #16",
                     "str w4, [x6]", "mov w0, #0"}),
            "Rx=1 Wy=1 data(0,1) -> 0");
  // An address that depends on a read orders later writes.
  EXPECT_EQ(TraceOf({"ldr w0, [x1]", "and x2, x0, #4", "str wzr, [sp, x2]", "str wzr, [x3]"}),
            "Rx=1 Wy=0 ctrl(0,1) -> 1");
}

TEST(HardwareAArch64, ResultsAreWhatTheirVariablesHold) {
  Image image = MakeImage(Architecture::kAArch64, {"ldr w0, [x1]", "str w0, [x2]", "ret"});
  EXPECT_EQ(TracesOfFunction(image, {{"x1", kX}, {"x2", kResult1}}, -2), (Lines{"Rx=-2 -> 0 -2"}));
}

TEST(HardwareAArch64, CallsAndReturns) {
  Image image =
      MakeImage(Architecture::kAArch64,
                {"stp x29, x30, [sp, #-0x10]!", "mov x29, sp", "bl 0x10018 <f>", "str w0, [x3]",
                 "ldp x29, x30, [sp], #0x10", "ret", "bti c", "ldr w0, [x1]", "ret"});
  EXPECT_EQ(TracesOfFunction(image, {{"x1", kX}, {"x3", kY}}),
            (Lines{"Rx=1 Wy=1 data(0,1) -> 0 0"}));
}

TEST(HardwareAArch64, OutlineAtomicsAreTriedBothWays) {
  Image image = MakeImage(Architecture::kAArch64,
                          {"adrp x16, 0x50000", "ldrb w16, [x16, #0x10]", "cbz w16, none",
                           "ldadd w0, w0, [x1]", "ret", "none:", "ldxr w2, [x1]", "add w3, w2, w0",
                           "stxr w4, w3, [x1]", "cbnz w4, none", "ret"});
  image.symbols["__aarch64_have_lse_atomics"] = 0x50010;
  EXPECT_EQ(TracesOfFunction(image, {{"x0", 1}, {"x1", kX}}),
            (Lines{"Rx=1.ex Wx=2.ex data(0,1) rmw(0,1) -> 0 0",
                   "Rx=1.at Wx=2.at data(0,1) rmw(0,1) -> 0 0"}));
}

TEST(HardwareAArch64, ReadsLiterals) {
  Image image = MakeImage(Architecture::kAArch64, {"ldr x2, 0x10100 <P0+0x100>", "ldr w0, [x2]"});
  image.data.push_back({0x10100, {0x10, 0, 2, 0, 0, 0, 0, 0}});
  EXPECT_EQ(Describe(Execute(image, MakeEntry(image, {}, {"w0"}), Only(4))), (Lines{"Ry=4 -> 4"}));
}

TEST(HardwareAArch64, RefusesWhatItDoesNotKnow) {
  try {
    TraceOf({"ldr w0, [x1]", "FMOV S0, W0"});
    FAIL();
  } catch (const UnknownInstruction &error) {
    EXPECT_NE(std::string(error.what()).find("'FMOV S0, W0' at 0x10004"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(TraceOf({"ldr q0, [x1]"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"ldr w0, x1, [x1]"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"ldr w0, [x1], x2"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"ldr w0, []!"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"ldxr w0,"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"ldxr w0, [x1]!"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"dmb foo"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"dmb un"}), UnknownInstruction);
  EXPECT_THROW(TraceOf({"b nowhere"}), UnknownInstruction);
}

TEST(HardwareAArch64, RefusesPartsOfSharedLocations) {
  EXPECT_THROW(TraceOf({"ldr x0, [x1]"}), std::runtime_error);
  EXPECT_THROW(TraceOf({"ldrb w0, [x1, #1]"}), std::runtime_error);
  EXPECT_THROW(TraceOf({"str x0, [x1, #-4]"}), std::runtime_error);
  EXPECT_THROW(TraceOf({"ldar w0, [sp]"}), std::runtime_error);
  EXPECT_THROW(TraceOf({"ldr w0, [x9]"}), std::runtime_error);
}

TEST(HardwareAArch64, Arithmetic) {
  RegisterValues in = {{"x1", 0xffffffff80000005}, {"x2", 3}};
  EXPECT_EQ(Compute({"add w0, w1, w2"}, in), 0x80000008u);
  EXPECT_EQ(Compute({"add x0, x2, w1, sxtw #1"}, in), 0xffffffff0000000du);
  EXPECT_EQ(Compute({"sub w0, w2, #4"}, in), 0xffffffffu);
  EXPECT_EQ(Compute({"sub x0, x2, #1, lsl #12"}, in), uint64_t{3} - 4096);
  EXPECT_EQ(Compute({"neg w0, w2"}, in), 0xfffffffdu);
  EXPECT_EQ(Compute({"mvn w0, w2"}, in), 0xfffffffcu);
  EXPECT_EQ(Compute({"asr w0, w1, #4"}, in), 0xf8000000u);
  EXPECT_EQ(Compute({"lsr w0, w1, w2"}, in), 0x10000000u);
  EXPECT_EQ(Compute({"ror w0, w1, #4"}, in), 0x58000000u);
  EXPECT_EQ(Compute({"mov x0, x1", "movk x0, #0x1234, lsl #16"}, in), 0xffffffff12340005u);
  EXPECT_EQ(Compute({"movn w0, #0"}, in), 0xffffffffu);
  EXPECT_EQ(Compute({"ubfx w0, w1, #30, #2"}, in), 2u);
  EXPECT_EQ(Compute({"sbfx w0, w1, #30, #2"}, in), 0xfffffffeu);
  EXPECT_EQ(Compute({"ubfiz w0, w2, #4, #1"}, in), 16u);
  EXPECT_EQ(Compute({"mov w0, #0xff", "bfi w0, w1, #4, #4"}, in), 0x5fu);
  EXPECT_EQ(Compute({"sxtw x0, w1"}, in), 0xffffffff80000005u);
  EXPECT_EQ(Compute({"madd w0, w2, w2, w1"}, in), 0x8000000eu);
  EXPECT_EQ(Compute({"sdiv w0, w1, w2"}, in), 0xd5555557u);
  EXPECT_EQ(Compute({"udiv w0, w2, wzr"}, in), 0u);
}

TEST(HardwareAArch64, Conditions) {
  // A pair, and the conditions that hold after they are compared.
  struct {
    uint64_t x, y;
    Lines hold;
  } kCases[] = {
      {1, 1, {"eq", "cs", "hs", "pl", "vc", "ls", "ge", "le", "al"}},
      {1, 2, {"ne", "cc", "lo", "mi", "vc", "ls", "lt", "le", "al"}},
      {2, 1, {"ne", "cs", "hs", "pl", "vc", "hi", "ge", "gt", "al"}},
      {0xffffffff, 1, {"ne", "cs", "hs", "mi", "vc", "hi", "lt", "le", "al"}},
      {0x80000000, 1, {"ne", "cs", "hs", "pl", "vs", "hi", "lt", "le", "al"}},
  };
  for (const auto &[x, y, hold] : kCases)
    for (std::string condition : {"eq", "ne", "cs", "cc", "hs", "lo", "mi", "pl", "vs", "vc", "hi",
                                  "ls", "ge", "lt", "gt", "le"})
      EXPECT_EQ(Compute({"cmp w1, w2", "cset w0, " + condition}, {{"x1", x}, {"x2", y}}),
                std::count(hold.begin(), hold.end(), condition))
          << x << " " << y << " " << condition;
  EXPECT_EQ(Compute({"cmp w1, #1", "ccmp w2, #2, #4, eq", "cset w0, eq"}, {{"x1", 1}, {"x2", 2}}),
            1u);
  EXPECT_EQ(Compute({"cmp w1, #1", "ccmp w2, #2, #0, eq", "cset w0, eq"}, {{"x1", 0}, {"x2", 2}}),
            0u);
  EXPECT_EQ(Compute({"cmp w1, #1", "csinc w0, w1, w2, ne"}, {{"x1", 1}, {"x2", 2}}), 3u);
  EXPECT_EQ(Compute({"tst w1, #2", "cinc w0, w1, eq"}, {{"x1", 1}}), 2u);
}

} // namespace
