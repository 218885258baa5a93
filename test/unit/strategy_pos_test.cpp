// heddle/schedule/strategy_pos.h: when priorities are drawn, by what comes of it.

#include "heddle/schedule/strategy_pos.h"

#include "schedule_testing.h"

#include <gtest/gtest.h>

namespace {
using namespace __heddle;
using namespace testing_schedule;

constexpr Operation Write(uptr object) { return {OperationKind::kStore, object}; }
constexpr Operation Read(uptr object) { return {OperationKind::kLoad, object}; }

// How often the only operation of the second thread comes after both of the first.
u64 Last(u64 seeds, Operation first, Operation second, Operation other) {
  u64 last = 0;
  for (u64 seed = 0; seed < seeds; seed++) {
    Course<PosStrategy> course(2, Seed(seed));
    course.next = {first, other};
    if (course.Step() == 1)
      continue;
    course.next[0] = second;
    last += course.Step() == 0;
  }
  return last;
}

TEST(PosStrategy, NeedsNext) {
  Course<PosStrategy> course(1);
  EXPECT_TRUE(course.strategy.NeedsNext());
  EXPECT_FALSE(course.strategy.FirstCome());
}

// Its one priority is the lowest of three.
TEST(PosStrategy, WithoutAConflictAPriorityStays) {
  EXPECT_TRUE(IsLikely(Last(9000, Write(1), Write(2), Write(3)), 9000, 1.0 / 3));
  EXPECT_TRUE(IsLikely(Last(9000, Read(1), Read(1), Read(1)), 9000, 1.0 / 3));
  EXPECT_TRUE(IsLikely(Last(9000, kAnyOperation, kAnyOperation, kAnyOperation), 9000, 1.0 / 3));
  // Nor does it matter what the second is: it has not run.
  EXPECT_TRUE(IsLikely(Last(9000, Write(1), Write(3), Write(3)), 9000, 1.0 / 3));
}

// It is the lower of two, twice.
TEST(PosStrategy, AConflictDrawsAnew) {
  EXPECT_TRUE(IsLikely(Last(9000, Write(3), Write(2), Write(3)), 9000, 1.0 / 4));
  EXPECT_TRUE(IsLikely(Last(9000, Write(3), Write(2), Read(3)), 9000, 1.0 / 4));
  EXPECT_TRUE(IsLikely(Last(9000, Read(3), Write(2), Write(3)), 9000, 1.0 / 4));
}

// What it is about to do has changed without its having run.
TEST(PosStrategy, AnotherOperationDrawsAnew) {
  u64 last = 0;
  for (u64 seed = 0; seed < 9000; seed++) {
    Course<PosStrategy> course(2, Seed(seed));
    course.next = {Write(1), Write(2)};
    if (course.Step() == 1)
      continue;
    course.next[1] = Write(4);
    last += course.Step() == 0;
  }
  EXPECT_TRUE(IsLikely(last, 9000, 1.0 / 4));
}

// Three threads, one operation each: any order is as likely, conflicts or not.
TEST(PosStrategy, AllOrdersOfSingleOperations) {
  for (uptr object : {0, 1}) {
    std::map<std::vector<ThreadId>, u64> orders;
    for (u64 seed = 0; seed < 6000; seed++) {
      Course<PosStrategy> course(3, Seed(seed));
      course.next.assign(3, Write(object));
      std::vector<ThreadId> order;
      while (!course.enabled.Empty()) {
        order.push_back(course.Step());
        course.End(order.back());
      }
      orders[order]++;
    }
    EXPECT_TRUE(AreUniform(orders, 6, 6000));
  }
}

//===-- Weak memory --------------------------------------------------------===//

constexpr u32 kAny = Strategy<Memory>::kAnyRead;

// What a load of the second thread reads after an operation of the first, which comes
// first with this seed.
u32 ReadAfter(Operation first, Operation load) {
  for (u64 seed = 0;; seed++) {
    Course<PosStrategy> course(2, Seed(seed));
    course.next = {first, load};
    if (course.Step() == 0)
      return course.strategy.PickRead(1, 5);
  }
}

TEST(PosStrategy, ALoadThatAStoreOvertookReadsTheNewest) {
  EXPECT_EQ(ReadAfter(Write(3), Read(3)), 0u);
  EXPECT_EQ(ReadAfter({OperationKind::kRmw, 3}, Read(3)), 0u);
  EXPECT_EQ(ReadAfter(Write(3), {OperationKind::kRmw, 3}), 0u);
  EXPECT_EQ(ReadAfter(Write(4), Read(3)), kAny);
  EXPECT_EQ(ReadAfter(Read(3), Read(3)), kAny);
  // What it writes itself, others have not overtaken it with.
  EXPECT_EQ(ReadAfter(Read(3), {OperationKind::kRmw, 3}), kAny);
}

TEST(PosStrategy, TheNextLoadIsAnotherEvent) {
  Course<PosStrategy> course(2, Seed(1));
  course.next = {Write(3), Read(3)};
  while (course.Step() == 0) {
  }
  EXPECT_EQ(course.strategy.PickRead(1, 5), kAny);
  course.Pick();
  EXPECT_EQ(course.strategy.PickRead(1, 5), kAny);
}

// One that was never asked about: it was the only one that could run.
TEST(PosStrategy, ALoadOfASingleThreadReadsAny) {
  Course<PosStrategy> course(1, Seed(1));
  course.next = {Read(3)};
  course.Step();
  EXPECT_EQ(course.strategy.PickRead(0, 5), kAny);
}

// It could not have come before the store.
TEST(PosStrategy, WhoIsHeldBackReadsAny) {
  for (u64 seed = 0; seed < 20; seed++) {
    Course<PosStrategy> course(2, Seed(seed));
    course.next = {Write(3), Read(3)};
    course.strategy.Yielded(1);
    ASSERT_EQ(course.Step(), 0u);
    EXPECT_EQ(course.strategy.PickRead(1, 5), kAny);
  }
}

// Two threads store to a location each and load the other's; what is read by chance is 0
// or 1, the newest is 1. A load has the odds that follow from when it runs.
TEST(PosStrategy, TheOutcomesOfStoreBuffering) {
  constexpr u64 kSeeds = 12000;
  std::map<std::pair<u32, u32>, u64> outcomes;
  for (u64 seed = 0; seed < kSeeds; seed++) {
    Course<PosStrategy> course(2, Seed(seed));
    Random random(seed, 1);
    course.next = {Write(1), Write(2)};
    bool stored[2] = {};
    u32 read[2] = {};
    while (!course.enabled.Empty()) {
      ThreadId thread = course.Pick();
      const bool loads = stored[thread];
      if (loads && stored[1 - thread])
        read[thread] = course.strategy.PickRead(thread, 2) == 0 ? 1 : random.Below(2);
      course.Ran(thread);
      if (loads)
        course.End(thread);
      stored[thread] = true;
      course.next[thread] = Read(2 - thread);
    }
    outcomes[{read[0], read[1]}]++;
  }
  // The first load comes before the second store with 2/3: its priority is not the lowest
  // of three. Then it reads 0, and the second load any; else the load that was
  // overtaken reads 1, and the other one any.
  EXPECT_TRUE(IsLikely(outcomes[std::make_pair(0u, 0u)], kSeeds, 1.0 / 3));
  EXPECT_TRUE(IsLikely(outcomes[std::make_pair(0u, 1u)], kSeeds, 1.0 / 4));
  EXPECT_TRUE(IsLikely(outcomes[std::make_pair(1u, 0u)], kSeeds, 1.0 / 4));
  EXPECT_TRUE(IsLikely(outcomes[std::make_pair(1u, 1u)], kSeeds, 1.0 / 6));
}

TEST(PosStrategy, AYieldLetsOthersGoOn) {
  Course<PosStrategy> course(3, Seed(1));
  for (int i = 0; i < 1000; i++) {
    ThreadId yields = course.Step();
    course.strategy.Yielded(yields);
    ASSERT_NE(course.Pick(), yields);
  }
}

TEST(PosStrategy, ThreadsComeAndGo) {
  Course<PosStrategy> course(2, Seed(3));
  for (int i = 0; i < 200; i++) {
    ThreadId thread = course.Step();
    if (i % 3 == 0)
      course.Create();
    if (i % 3 == 1 && course.enabled.Count() > 1)
      course.End(thread);
    for (Operation &operation : course.next)
      operation = Write(i % 5);
  }
  SUCCEED();
}

TEST(PosStrategy, TheSeedDecides) {
  EXPECT_EQ(Course<PosStrategy>(5, Seed(9)).Steps(100), Course<PosStrategy>(5, Seed(9)).Steps(100));
  EXPECT_NE(Course<PosStrategy>(5, Seed(9)).Steps(100),
            Course<PosStrategy>(5, Seed(10)).Steps(100));
}

} // namespace
