// Threads that come to other slots, and clocks that start anew: heddle/model/thread.h and
// heddle/model/common_past.h.

#include "heddle/model/common_past.h"
#include "heddle/model/thread.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace {
using namespace __heddle;

struct TestPolicy {
  using Clock = SmallClock<4>;
  static void *Allocate(size_t bytes) { return malloc(bytes); }
  static void Free(void *memory) { free(memory); }
  static constexpr bool kConcurrent = false;
  static constexpr bool kSlotsReused = true;
  static u32 FirstEpoch(u32) { return 0; }
};
using Thread = ModelThread<TestPolicy>;
using Clock = TestPolicy::Clock;

// As the runtime does it: the clock keeps the epochs of the slot that is left.
void Move(Thread *thread, u32 slot, u32 epoch) {
  Clock clock = thread->clock();
  clock.Set(slot, epoch);
  thread->LeaveSlot();
  thread->MoveTo(clock, slot);
}

TEST(Slots, FenceStandsForSlotsThatWereLeft) {
  SeqCstOrder<TestPolicy> sc;
  Thread first(0), second(1);
  first.EndEpoch();
  Move(&first, 2, 1); // after epoch 2 of slot 0
  Move(&first, 3, 1);
  sc.Fence(&first);
  sc.Fence(&second);
  EXPECT_EQ(second.sc_fences.Get(0), 2u);
  EXPECT_EQ(second.sc_fences.Get(2), 1u);
  EXPECT_EQ(second.sc_fences.Get(3), 1u);
}

// Another thread has the slot by then, and has gone further.
TEST(Slots, FenceStandsForNoEpochsOfTheNextThread) {
  SeqCstOrder<TestPolicy> sc;
  Thread first(0), second(1);
  Move(&first, 2, 1); // after epoch 1 of slot 0
  Move(&second, 0, 2);
  second.EndEpoch();
  sc.Fence(&first);
  EXPECT_EQ(first.sc_fences.Get(0), 1u);
  sc.Fence(&second);
  EXPECT_EQ(second.sc_fences.Get(0), 3u);
  Move(&first, 3, 1);
  sc.Fence(&first); // does not take it back
  EXPECT_EQ(first.sc_fences.Get(0), 3u);
}

TEST(Slots, FenceStandsForNothingFromBeforeAllStartedAnew) {
  SeqCstOrder<TestPolicy> sc;
  Thread thread(0);
  thread.EndEpoch();
  thread.LeaveSlot();
  thread.StartAnew();
  Clock clock;
  clock.Set(1, 1);
  thread.MoveTo(clock, 1);
  sc.Fence(&thread);
  EXPECT_EQ(thread.sc_fences.Get(0), 0u);
}

TEST(Slots, WhatWasDoneInSlotsThatWereLeftBecomesVisible) {
  VisibleToAll<TestPolicy> visible;
  Thread first(0), second(1);
  first.EndEpoch();
  Move(&first, 2, 1); // after epoch 2 of slot 0
  SeqCstOrder<TestPolicy>().Fence(&first);
  visible.Add(&first);
  EXPECT_EQ(visible.Bound(second, 0), 2u);
  EXPECT_EQ(visible.Bound(second, 2), 1u);
  EXPECT_EQ(visible.Bound(second, 3), 0u);
}

TEST(Slots, ThreadsHaveNamesOfTheirOwn) {
  Thread first(Clock(), 0), second(Clock(), 1);
  const u32 name = first.name();
  Move(&first, 2, 1);
  EXPECT_EQ(first.name(), name);
  Move(&second, 0, 2);
  EXPECT_NE(second.name(), name);
}

// The clock of a thread that has done nothing since is from before.
TEST(Slots, NothingIsKnownToThreadsThatAreBehind) {
  CommonPast<TestPolicy> past(false);
  Thread first(0), second(1);
  past.Begin(&first);
  past.Begin(&second);
  Clock clock;
  clock.Set(0, 7);
  first.Acquire(clock);
  second.Acquire(clock);
  EXPECT_EQ(past.Epoch(0), 7u);

  past.StartAnew();
  Clock anew;
  anew.Set(0, 3);
  first.StartAnew();
  first.MoveTo(anew, 0);
  EXPECT_EQ(past.Epoch(0), 0u);
  past.Await(&first, &second);
  EXPECT_EQ(past.Epoch(0), 0u);
  second.StartAnew();
  anew.Set(0, 2);
  second.MoveTo(anew, 1);
  EXPECT_EQ(past.Epoch(0), 2u);
}

} // namespace
