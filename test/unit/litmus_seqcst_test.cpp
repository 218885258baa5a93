// Random programs for C++20's rules on seq_cst: what seqcst.h promises about each, that
// every form of link comes up, and that the rules show.

#include "heddle/litmus/differences.h"
#include "heddle/litmus/parser.h"
#include "heddle/litmus/printer.h"
#include "heddle/litmus/seqcst.h"
#include "litmus_shapes.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace {
using namespace heddle::litmus;
using Kind = Statement::Kind;

SeqCstParameters UpTo(int events) {
  SeqCstParameters parameters;
  parameters.max_events = events;
  return parameters;
}

TEST(LitmusSeqCst, SameSeedSameProgram) {
  EXPECT_EQ(PrintProgram(SeqCstProgram(1, {})), PrintProgram(SeqCstProgram(1, {})));
  EXPECT_NE(PrintProgram(SeqCstProgram(1, {})), PrintProgram(SeqCstProgram(2, {})));
  // On every machine: a change here breaks the seeds in old reports.
  EXPECT_EQ(PrintProgram(SeqCstProgram(42, {})), R"(C seqcst-42
{
  x = 0;
  y = 0;
  z = 0;
}

P0(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(x, memory_order_seq_cst);
  int r1 = atomic_load_explicit(y, memory_order_relaxed);
}

P1(atomic_int *z) {
  int r0 = atomic_exchange_explicit(z, 1, memory_order_seq_cst);
}

P2(atomic_int *y, atomic_int *z) {
  atomic_store_explicit(y, 1, memory_order_seq_cst);
  atomic_store_explicit(z, 2, memory_order_seq_cst);
}

P3(atomic_int *x, atomic_int *z) {
  int r0 = atomic_load_explicit(z, memory_order_acquire);
  atomic_store_explicit(x, 1, memory_order_seq_cst);
}

locations [0:r0; 0:r1; 1:r0; 3:r0; x; y; z;]
exists (true)
)");
}

TEST(LitmusSeqCst, ProgramsAreOfUse) {
  for (int events = 2; events <= 10; events++)
    for (uint64_t seed = 0; seed < 500; seed++) {
      Program program = SeqCstProgram(seed, UpTo(events));
      ExpectUseful(program, UpTo(events));
      ASSERT_FALSE(HasFailure()) << PrintProgram(program);
    }
}

TEST(LitmusSeqCst, PrintedAndParsed) {
  for (uint64_t seed = 0; seed < 1000; seed++) {
    Program program = SeqCstProgram(seed, UpTo(2 + seed % 9)), same;
    ParseError error;
    std::string text = PrintProgram(program);
    ASSERT_TRUE(Parse(text, "t", &same, &error)) << error.ToString() << "\n" << text;
    ASSERT_TRUE(SameProgram(program, same)) << text;
  }
}

TEST(LitmusSeqCst, OddParameters) {
  SeqCstParameters nothing;
  nothing.max_events = nothing.max_threads = nothing.max_locations = 0;
  SeqCstParameters least;
  least.max_events = least.max_threads = 2;
  least.max_locations = 1;
  SeqCstParameters narrow;
  narrow.max_threads = narrow.max_locations = 2;
  SeqCstParameters wide;
  wide.max_threads = 16;
  wide.max_events = 40;
  wide.max_locations = 30;
  for (uint64_t seed = 0; seed < 300; seed++) {
    ExpectUseful(SeqCstProgram(seed, nothing), least);
    ExpectUseful(SeqCstProgram(seed, narrow), narrow);
    ExpectUseful(SeqCstProgram(seed, wide), wide);
  }
}

// Every kind of event, in every order that it has.
TEST(LitmusSeqCst, AllEvents) {
  std::map<Kind, std::map<Order, int>> seen;
  std::map<Order, int> failures;
  int adds = 0;
  for (uint64_t seed = 0; seed < 2000; seed++)
    for (const Thread &thread : SeqCstProgram(seed, {}).threads)
      for (const Statement &statement : thread.body) {
        seen[statement.kind][statement.order]++;
        adds += statement.kind == Kind::kRmw && statement.operation == RmwOperation::kAdd;
        if (statement.kind == Kind::kCompareExchange) {
          failures[statement.failure_order]++;
          EXPECT_FALSE(statement.weak);
        }
      }
  EXPECT_EQ(seen[Kind::kLoad].size(), 3u);
  EXPECT_EQ(seen[Kind::kStore].size(), 3u);
  EXPECT_EQ(seen[Kind::kRmw].size(), 5u);
  EXPECT_EQ(seen[Kind::kCompareExchange].size(), 5u);
  EXPECT_EQ(seen[Kind::kFence].size(), 4u);
  EXPECT_EQ(failures.size(), 3u);
  for (const auto &[kind, orders] : seen)
    for (auto [order, count] : orders)
      EXPECT_GT(count, 25) << static_cast<int>(kind) << " " << static_cast<int>(order);
  EXPECT_GT(adds, 100);
}

TEST(LitmusSeqCst, WellKnownShapes) {
  std::map<std::string, int> found;
  for (uint64_t seed = 0; seed < 20000; seed++)
    found[Canonical(ShapeOf(SeqCstProgram(seed, {})))]++;
  const std::pair<const char *, const char *> kShapes[] = {
      {"SB", "Wx Ry | Wy Rx"},
      {"R", "Wx Wy | Wy Rx"},
      {"2+2W", "Wx Wy | Wy Wx"},
      {"RWC", "Wx | Rx Ry | Wy Rx"},
      {"W+RWC", "Wx Wy | Ry Rz | Wz Rx"},
      {"Z6.U", "Wx Wy | Uy Ry | Wy Rx"},
      {"IRIW", "Wx | Rx Ry | Wy | Ry Rx"},
      {"SB with a message in one thread", "Wx Wf | Rf Ry | Wy Rx"},
      {"SB with a message in both threads", "Wx Wf | Rf Ry | Wy Wg | Rg Rx"},
      {"SB with a release sequence", "Wx Wf | Uf | Rf Ry | Wy Rx"},
      {"RWC by a release sequence", "Wx | Ux | Rx Ry | Wy Rx"},
      {"SB with forwarding", "Wx Rx Ry | Wy Rx"},
  };
  for (auto [name, shape] : kShapes)
    EXPECT_GT(found[Canonical(ShapeOf(shape))], 0) << name;
}

// The reason why there is this generator. `heddle litmus --compare-axioms` has figures
// for more programs.
TEST(LitmusSeqCst, RulesOfCxx20Show) {
  AxiomaticOptions cxx11, cxx20;
  cxx11.model = AxiomaticModel::kC11Tester;
  cxx20.model = AxiomaticModel::kCxx20;
  std::set<std::string> stronger, weaker;
  for (uint64_t seed = 0; seed < 1500; seed++) {
    const Program program = SeqCstProgram(seed, {});
    stronger.insert(KindOfDifference(program, cxx11, cxx20));
    weaker.insert(KindOfDifference(program, cxx20, cxx11));
  }
  EXPECT_GT(stronger.size(), 20u);
  EXPECT_GT(weaker.size(), 20u);
}

} // namespace
