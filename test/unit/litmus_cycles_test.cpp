// Random programs that grow from a cycle: what cycles.h promises about each, and
// that the shapes which are known to matter come up.

#include "heddle/litmus/cycles.h"
#include "heddle/litmus/parser.h"
#include "heddle/litmus/printer.h"
#include "litmus_shapes.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace {
using namespace heddle::litmus;
using Kind = Statement::Kind;

CycleParameters UpTo(int events) {
  CycleParameters parameters;
  parameters.max_events = events;
  return parameters;
}

TEST(LitmusCycles, SameSeedSameProgram) {
  EXPECT_EQ(PrintProgram(CycleProgram(1, {})), PrintProgram(CycleProgram(1, {})));
  EXPECT_NE(PrintProgram(CycleProgram(1, {})), PrintProgram(CycleProgram(2, {})));
  // On every machine: a change here breaks the seeds in old reports.
  EXPECT_EQ(PrintProgram(CycleProgram(42, {})), R"(C cycle-42
{
  x = 0;
  y = 0;
}

P0(atomic_int *x, atomic_int *y) {
  int r0 = 4;
  int r1 = atomic_compare_exchange_strong_explicit(x, &r0, 1, memory_order_release, memory_order_acquire);
  atomic_store_explicit(y, 1, memory_order_seq_cst);
}

P1(atomic_int *x, atomic_int *y) {
  atomic_store_explicit(y, 2, memory_order_relaxed);
  int r0 = 1;
  int r1 = atomic_compare_exchange_weak_explicit(x, &r0, 2, memory_order_acquire, memory_order_relaxed);
}

P2(atomic_int *x) {
  atomic_store_explicit(x, 3, memory_order_release);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(x, 4, memory_order_relaxed);
}

locations [0:r0; 0:r1; 1:r0; 1:r1; x; y;]
exists (true)
)");
}

TEST(LitmusCycles, ProgramsAreOfUse) {
  for (int events = 2; events <= 10; events++)
    for (uint64_t seed = 0; seed < 500; seed++) {
      Program program = CycleProgram(seed, UpTo(events));
      ExpectUseful(program, UpTo(events));
      ASSERT_FALSE(HasFailure()) << PrintProgram(program);
    }
}

TEST(LitmusCycles, PrintedAndParsed) {
  for (uint64_t seed = 0; seed < 1000; seed++) {
    Program program = CycleProgram(seed, UpTo(2 + seed % 9)), same;
    ParseError error;
    std::string text = PrintProgram(program);
    ASSERT_TRUE(Parse(text, "t", &same, &error)) << error.ToString() << "\n" << text;
    ASSERT_TRUE(SameProgram(program, same)) << text;
  }
}

TEST(LitmusCycles, OddParameters) {
  CycleParameters nothing;
  nothing.max_events = nothing.max_threads = nothing.max_locations = 0;
  CycleParameters least;
  least.max_events = least.max_threads = 2;
  least.max_locations = 1;
  CycleParameters narrow;
  narrow.max_threads = narrow.max_locations = 2;
  CycleParameters wide;
  wide.max_threads = 16;
  wide.max_events = 40;
  wide.max_locations = 30;
  for (uint64_t seed = 0; seed < 300; seed++) {
    ExpectUseful(CycleProgram(seed, nothing), least);
    ExpectUseful(CycleProgram(seed, narrow), narrow);
    ExpectUseful(CycleProgram(seed, wide), wide);
  }
}

// Every kind of event, in every order that it has.
TEST(LitmusCycles, AllEvents) {
  std::map<Kind, std::map<Order, int>> seen;
  std::map<Order, int> failures;
  int weak = 0, adds = 0;
  for (uint64_t seed = 0; seed < 2000; seed++)
    for (const Thread &thread : CycleProgram(seed, {}).threads)
      for (const Statement &statement : thread.body) {
        seen[statement.kind][statement.order]++;
        adds += statement.kind == Kind::kRmw && statement.operation == RmwOperation::kAdd;
        if (statement.kind == Kind::kCompareExchange) {
          failures[statement.failure_order]++;
          weak += statement.weak;
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
      EXPECT_GT(count, 50) << static_cast<int>(kind) << " " << static_cast<int>(order);
  EXPECT_GT(weak, 50);
  EXPECT_GT(adds, 50);
}

TEST(LitmusCycles, WellKnownShapes) {
  std::map<std::string, int> found;
  for (uint64_t seed = 0; seed < 20000; seed++)
    found[Canonical(ShapeOf(CycleProgram(seed, UpTo(6))))]++;
  const std::pair<const char *, const char *> kShapes[] = {
      {"SB", "Wx Ry | Wy Rx"},
      {"MP", "Wx Wy | Ry Rx"},
      {"LB", "Rx Wy | Ry Wx"},
      {"S", "Wx Wy | Ry Wx"},
      {"R", "Wx Wy | Wy Rx"},
      {"2+2W", "Wx Wy | Wy Wx"},
      {"3.SB", "Wx Ry | Wy Rz | Wz Rx"},
      {"3.LB", "Rx Wy | Ry Wz | Rz Wx"},
      {"3.2W", "Wx Wy | Wy Wz | Wz Wx"},
      {"WRC", "Wx | Rx Wy | Ry Rx"},
      {"WWC", "Wx | Rx Wy | Ry Wx"},
      {"RWC", "Wx | Rx Ry | Wy Rx"},
      {"ISA2", "Wx Wy | Ry Wz | Rz Rx"},
      {"W+RWC", "Wx Wy | Ry Rz | Wz Rx"},
      {"IRIW", "Wx | Rx Ry | Wy | Ry Rx"},
      {"CoRR", "Wx | Rx Rx"},
      {"CoRW2", "Wx | Rx Wx"},
      {"a release sequence", "Wx Wy | Uy | Ry Rx"},
      {"SC-read-behind-last-write", "Wx Wx | Wx Wy | Ry Rx"},
  };
  for (auto [name, shape] : kShapes)
    EXPECT_GT(found[Canonical(ShapeOf(shape))], 0) << name;
}

// SC-read-behind-last-write.litmus with its orders, anywhere in a program: a store
// and a seq_cst store after it, another thread's seq_cst store and then a flag, and
// a seq_cst load by the one who has seen the flag.
bool ReadsBehindLastWrite(const Program &program) {
  auto has = [&](const Thread &thread, auto first, auto second) {
    bool seen = false;
    for (const Statement &statement : thread.body) {
      if (seen && second(statement))
        return true;
      seen |= first(statement);
    }
    return false;
  };
  auto access = [](Kind kind, int location, bool sc) {
    return [=](const Statement &statement) {
      return statement.kind == kind && statement.location == location &&
             (statement.order == Order::kSeqCst) == sc;
    };
  };
  int locations = static_cast<int>(program.locations.size());
  for (int x = 0; x < locations; x++)
    for (int y = 0; y < locations; y++) {
      std::set<size_t> hides, flags, reads;
      for (size_t t = 0; t < program.threads.size(); t++) {
        const Thread &thread = program.threads[t];
        if (has(thread, access(Kind::kStore, x, false), access(Kind::kStore, x, true)))
          hides.insert(t);
        if (has(thread, access(Kind::kStore, x, true), access(Kind::kStore, y, false)))
          flags.insert(t);
        if (has(thread, access(Kind::kLoad, y, false), access(Kind::kLoad, x, true)))
          reads.insert(t);
      }
      for (size_t a : hides)
        for (size_t b : flags)
          for (size_t c : reads)
            if (x != y && a != b && b != c && a != c)
              return true;
    }
  return false;
}

TEST(LitmusCycles, ReadBehindLastWrite) {
  int found = 0;
  for (uint64_t seed = 0; seed < 20000; seed++)
    found += ReadsBehindLastWrite(CycleProgram(seed, {}));
  EXPECT_GT(found, 0);
}

} // namespace
