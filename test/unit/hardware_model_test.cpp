// What all hardware models share: traces from code, coherence, atomicity, the search.

#include "hardware_model_testing.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

constexpr Architecture kAll[] = {Architecture::kAArch64, Architecture::kArm, Architecture::kRiscV,
                                 Architecture::kX86};

std::set<State> StatesOf(Architecture model, const std::vector<Code> &threads) {
  std::set<State> states;
  for (const auto &[state, count] : RunHardware(MakeProgram(threads), model).states)
    states.insert(state);
  return states;
}

TEST(HardwareTraces, ValuesGrowUntilNoneIsNew) {
  // Each increment may read what the others have written.
  HardwareProgram program = MakeProgram({Code().Increment(X, 1), Code().Increment(X, 1)});
  std::set<Value> read;
  for (const Trace &trace : program.threads[0])
    read.insert(trace.registers[0]);
  EXPECT_EQ(read, (std::set<Value>{0, 1, 2}));
}

TEST(HardwareTraces, AValueThatNeedsMoreWritesThanThereAreIsNotTried) {
  // r = x; y = r + 1 and r = y; x = r + 1 go round for ever.
  HardwareProgram program = MakeProgram({Code().R(X).W(Y, 1).Data(0), Code().R(Y).W(X, 1).Data(0)});
  std::set<Value> read;
  for (const Trace &trace : program.threads[0])
    read.insert(trace.registers[0]);
  EXPECT_EQ(read, (std::set<Value>{0, 1, 2}));
}

TEST(HardwareModel, Coherence) {
  for (Architecture model : kAll) {
    // CoRR, CoWR, CoRW1, CoRW2, CoWW
    EXPECT_FALSE(Allows(model, {Code().W(X, 1), Code().R(X).R(X)}, {{1, 0, 1}, {1, 1, 0}}));
    EXPECT_FALSE(Allows(model, {Code().W(X, 1).R(X)}, {{0, 0, 0}}));
    EXPECT_FALSE(Allows(model, {Code().R(X).W(X, 1)}, {{0, 0, 1}}));
    EXPECT_FALSE(Allows(model, {Code().R(X).W(X, 1), Code().W(X, 2)}, {{0, 0, 2}, {-1, X, 2}}));
    EXPECT_FALSE(Allows(model, {Code().W(X, 1).W(X, 2)}, {{-1, X, 1}}));
    EXPECT_FALSE(Allows(model, {Code().W(X, 1).R(X), Code().W(X, 2)}, {{0, 0, 2}, {-1, X, 1}}));
    // All threads see the same order.
    EXPECT_FALSE(Allows(model, {Code().W(X, 1), Code().W(X, 2), Code().R(X).R(X), Code().R(X).R(X)},
                        {{2, 0, 1}, {2, 1, 2}, {3, 0, 2}, {3, 1, 1}}));
  }
}

TEST(HardwareModel, Atomicity) {
  for (Architecture model : kAll) {
    std::vector<Code> increments = {Code().Increment(X, 1), Code().Increment(X, 1)};
    EXPECT_EQ(StatesOf(model, increments), (std::set<State>{{0, 1, 2, 0, 0}, {1, 0, 2, 0, 0}}));
    std::vector<Code> pairs = {Code().Increment(X, 1, kExclusive, kExclusive),
                               Code().Increment(X, 1, kExclusive, kExclusive)};
    EXPECT_EQ(StatesOf(model, pairs), (std::set<State>{{0, 1, 2, 0, 0}, {1, 0, 2, 0, 0}}));
    // A plain write may not come between.
    EXPECT_FALSE(Allows(model, {Code().Swap(X, 2), Code().W(X, 1)}, {{0, 0, 0}, {-1, X, 2}}));
  }
}

TEST(HardwareModel, CountsExecutions) {
  HardwareProgram program = MakeProgram({Code().W(X, 1).R(Y), Code().W(Y, 1).R(X)});
  Outcome outcome = RunHardware(program, Architecture::kX86, Counting::kExecutions);
  EXPECT_EQ(outcome.executions, 4u);
  EXPECT_EQ(outcome.states.size(), 4u);
  uint64_t visited = 0;
  EXPECT_TRUE(ForEachHardwareExecution(program, Architecture::kX86,
                                       [&](const HardwareExecution &execution) {
                                         visited++;
                                         EXPECT_EQ(execution.events.size(), 7u);
                                         EXPECT_EQ(execution.events[2].thread, -1);
                                         EXPECT_EQ(execution.events[3].thread, 0);
                                         EXPECT_TRUE(execution.po.Has(3, 4));
                                         EXPECT_TRUE(execution.co.Has(0, 3));
                                         // y is read by the first thread.
                                         EXPECT_NE(execution.rf.Has(1, 4), execution.rf.Has(5, 4));
                                         EXPECT_EQ(execution.fr.Has(4, 5), execution.rf.Has(1, 4));
                                         EXPECT_EQ(execution.state.size(), 5u);
                                         return true;
                                       }));
  EXPECT_EQ(visited, 4u);
  EXPECT_FALSE(ForEachHardwareExecution(program, Architecture::kX86,
                                        [&](const HardwareExecution &) { return false; }));
}

TEST(HardwareModel, StatesAreThoseOfAllExecutions) {
  std::vector<Code> threads = {Code().W(X, 1).W(Y, 1).R(X), Code().Swap(Y, 2).W(X, 2),
                               Code().R(X).R(Y).R(X)};
  HardwareProgram program = MakeProgram(threads);
  for (Architecture model : kAll) {
    Outcome quick = RunHardware(program, model);
    Outcome slow = RunHardware(program, model, Counting::kExecutions);
    EXPECT_EQ(quick.states.size(), slow.states.size());
    for (const auto &[state, count] : slow.states) {
      EXPECT_GT(count, 0u);
      EXPECT_EQ(quick.states.count(state), 1u);
    }
    EXPECT_EQ(quick.executions, 0u);
  }
}

TEST(HardwareModel, RefusesFencesOfOthers) {
  std::vector<Code> threads = {Code().W(X, 1).F(Fence::kRiscV, kReads, kReads).R(Y)};
  HardwareProgram program = MakeProgram(threads);
  EXPECT_THROW(RunHardware(program, Architecture::kAArch64), std::invalid_argument);
  EXPECT_THROW(RunHardware(program, Architecture::kArm), std::invalid_argument);
  EXPECT_THROW(RunHardware(program, Architecture::kX86), std::invalid_argument);
  EXPECT_THROW(RunHardware(MakeProgram({Code().Full()}), Architecture::kRiscV),
               std::invalid_argument);
}

TEST(HardwareModel, RefusesTooManyEvents) {
  Code code;
  for (int i = 0; i < 62; i++)
    code.W(X, 1);
  EXPECT_THROW(RunHardware(MakeProgram({code}), Architecture::kX86), std::length_error);
}

TEST(HardwareModel, Names) {
  EXPECT_STREQ(ModelName(MakeProgram({Code().R(X)}), Architecture::kArm), "Armv7");
  EXPECT_STREQ(ModelName(MakeProgram({Code().R(X, kAcquire)}), Architecture::kArm), "AArch32");
  EXPECT_STREQ(ModelName(MakeProgram({Code().F(Fence::kArmLoad)}), Architecture::kArm), "AArch32");
  EXPECT_STREQ(ModelName(MakeProgram({Code().R(X)}), Architecture::kAArch64), "AArch64");
  EXPECT_STREQ(ModelName(MakeProgram({Code().R(X)}), Architecture::kRiscV), "RVWMO");
  EXPECT_STREQ(ModelName(MakeProgram({Code().R(X)}), Architecture::kX86), "x86-TSO");
}

} // namespace
