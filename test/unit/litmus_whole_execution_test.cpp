// What is left of an execution when an event is removed or split, and where the
// models differ. That they agree with the oracle is in litmus_allowed_test.cpp.

#include "heddle/litmus/synth.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using Kind = WholeExecution::Kind;
constexpr int kInitial = WholeExecution::kInitial;
constexpr Order kRlx = Order::kRelaxed, kAcq = Order::kAcquire, kRel = Order::kRelease,
                kAcqRel = Order::kAcqRel, kSc = Order::kSeqCst;

WholeExecution Make(std::vector<std::vector<SynthesisedTest::Event>> threads, std::vector<int> rf,
                    std::vector<std::vector<int>> mo) {
  SynthesisedTest test;
  test.threads = std::move(threads);
  return ExecutionOf(test, {std::move(rf), std::move(mo)});
}

bool Allows(const WholeExecution &x, C11Model model,
            ReleaseSequence sequence = ReleaseSequence::kCxx20) {
  C11Axioms axioms;
  axioms.model = model;
  axioms.release_sequence = sequence;
  return IsAllowed(x, axioms);
}

TEST(LitmusWholeExecution, AReadWhoseWriteIsRemovedKeepsItsPlace) {
  // R reads from the first of three writes.
  WholeExecution x = Make({{{Kind::kWrite, 0, kRlx}},
                           {{Kind::kWrite, 0, kRlx}},
                           {{Kind::kWrite, 0, kRlx}},
                           {{Kind::kRead, 0, kRlx}}},
                          {kInitial, kInitial, kInitial, 1}, {{1, 0, 2}});
  EXPECT_EQ(x.fr[3], 0b101u);
  WholeExecution rest = x.Without(1);
  EXPECT_EQ(rest.size, 3);
  EXPECT_EQ(rest.rf[2], WholeExecution::kRemoved);
  EXPECT_EQ(rest.fr[2], 0b011u);
  EXPECT_EQ(rest.mo[0], 0b010u);
  rest = x.Without(0);
  EXPECT_EQ(rest.rf[2], 0);
  EXPECT_EQ(rest.fr[2], 0b010u);
}

TEST(LitmusWholeExecution, Split) {
  // W; U reads from it, R reads from U.
  WholeExecution x = Make({{{Kind::kWrite, 0, kRlx}, {Kind::kWrite, 1, kRlx}},
                           {{Kind::kRmw, 0, kAcqRel}, {Kind::kRead, 1, kRlx}},
                           {{Kind::kRead, 0, kRlx}}},
                          {kInitial, kInitial, 0, kInitial, 2}, {{0, 2}, {1}});
  WholeExecution split = x.Split(2);
  EXPECT_EQ(split.size, 6);
  EXPECT_EQ(split.kind[2], Kind::kRead);
  EXPECT_EQ(split.order[2], kAcq);
  EXPECT_EQ(split.kind[5], Kind::kWrite);
  EXPECT_EQ(split.order[5], kRel);
  EXPECT_EQ(split.sb[2], 0b101000u);
  EXPECT_EQ(split.sb[5], 0b001000u);
  EXPECT_EQ(split.rf[2], 0);
  EXPECT_EQ(split.rf[4], 5);
  EXPECT_EQ(split.mo[0], 0b100000u);
  EXPECT_EQ(split.fr[2], 0b100000u);
}

TEST(LitmusWholeExecution, SplitMayLoseAtomicity) {
  // U reads the initial value, although another write is between.
  WholeExecution x =
      Make({{{Kind::kWrite, 0, kRlx}}, {{Kind::kRmw, 0, kRlx}}}, {kInitial, kInitial}, {{0, 1}});
  EXPECT_FALSE(Allows(x, C11Model::kCxx20));
  EXPECT_TRUE(Allows(x.Split(1), C11Model::kCxx20));
}

// Read-to-write causality, with a seq_cst store that only an acquire load reads. C++11
// orders the store before what follows the load in S, as it happens before it. C++20
// does not, for Power's sake: "strongly happens before" begins with sb.
TEST(LitmusWholeExecution, Cxx11AndCxx20DifferInMixedAccesses) {
  WholeExecution x = Make({{{Kind::kWrite, 0, kSc}},
                           {{Kind::kRead, 0, kAcq}, {Kind::kRead, 1, kSc}},
                           {{Kind::kWrite, 1, kSc}, {Kind::kRead, 0, kSc}}},
                          {kInitial, 0, kInitial, kInitial, kInitial}, {{0}, {3}});
  EXPECT_TRUE(Allows(x, C11Model::kCxx20));
  EXPECT_FALSE(Allows(x, C11Model::kC11));
  EXPECT_FALSE(Allows(x, C11Model::kPartialSc));
  // With a relaxed store that a seq_cst load reads it is the other way round: only
  // C++20 says that what is read comes first.
  x.order[0] = kRlx;
  x.order[1] = kSc;
  EXPECT_FALSE(Allows(x, C11Model::kCxx20));
  EXPECT_TRUE(Allows(x, C11Model::kC11));
  EXPECT_TRUE(Allows(x, C11Model::kPartialSc));
}

// litmustestgen: that an initial value is old is known to seq_cst operations only, and
// that a removed one was, too.
TEST(LitmusWholeExecution, LitmustestgenKnowsInitialValuesInScOnly) {
  auto passing = [](Order data, Order load, int rf) {
    return Make({{{Kind::kWrite, 0, kRlx}},
                 {{Kind::kWrite, 0, data}, {Kind::kWrite, 1, kRel}},
                 {{Kind::kRead, 1, kAcq}, {Kind::kRead, 0, load}}},
                {kInitial, kInitial, kInitial, 2, rf}, {{0, 1}, {2}});
  };
  EXPECT_FALSE(Allows(passing(kRlx, kRlx, kInitial), C11Model::kPartialSc));
  EXPECT_TRUE(Allows(passing(kRlx, kRlx, kInitial), C11Model::kLitmustestgen));
  EXPECT_FALSE(Allows(passing(kSc, kSc, kInitial), C11Model::kLitmustestgen));
  // The old value is a store's.
  WholeExecution x = passing(kRlx, kRlx, 0);
  EXPECT_FALSE(Allows(x, C11Model::kLitmustestgen));
  EXPECT_FALSE(Allows(x.Without(0), C11Model::kPartialSc));
  EXPECT_TRUE(Allows(x.Without(0), C11Model::kLitmustestgen));
  x = passing(kSc, kSc, 0);
  EXPECT_FALSE(Allows(x.Without(0), C11Model::kLitmustestgen));
  // Atomicity is the same.
  x = Make({{{Kind::kWrite, 0, kRlx}}, {{Kind::kRmw, 0, kRlx}}}, {kInitial, kInitial}, {{0, 1}});
  EXPECT_FALSE(Allows(x, C11Model::kPartialSc));
  EXPECT_TRUE(Allows(x, C11Model::kLitmustestgen));
}

TEST(LitmusWholeExecution, ReleaseSequences) {
  WholeExecution x =
      Make({{{Kind::kWrite, 0, kRlx}, {Kind::kWrite, 1, kRel}, {Kind::kWrite, 1, kRlx}},
            {{Kind::kRead, 1, kAcq}, {Kind::kRead, 0, kRlx}}},
           {kInitial, kInitial, kInitial, 2, kInitial}, {{0}, {1, 2}});
  EXPECT_TRUE(Allows(x, C11Model::kCxx20, ReleaseSequence::kCxx20));
  EXPECT_FALSE(Allows(x, C11Model::kCxx20, ReleaseSequence::kCxx11));
}

} // namespace
