// The rules of heddle/model/release_sequence.h, one test per rule of figure 3.12
// of Lidbury's thesis and figure 7 of the C11Tester paper, and a check of both
// rule sets against a direct reading of the standards on random histories.

#include "heddle/model/release_sequence.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace {
using namespace __heddle;

constexpr unsigned kThreads = 4;

struct TestClock {
  std::array<int, kThreads> time{};
  bool operator==(const TestClock &other) const { return time == other.time; }
};

struct TestPolicy {
  using Clock = TestClock;
  static void Join(Clock &into, const Clock &from) {
    for (unsigned i = 0; i < kThreads; i++)
      into.time[i] = std::max(into.time[i], from.time[i]);
  }
  template <class T> static T *Make() {
    live++;
    return new T;
  }
  template <class T> static void Destroy(T *object) {
    live--;
    delete object;
  }
  static int live;
};
int TestPolicy::live = 0;

using Sequences = ReleaseSequences<TestPolicy>;
using Handle = ClockHandle<TestPolicy>;
constexpr auto kCxx20 = ReleaseSequenceRules::kCxx20;
constexpr auto kCxx11 = ReleaseSequenceRules::kCxx11;

bool Includes(TestClock clock, const TestClock *other) {
  TestClock joined = clock;
  if (other)
    TestPolicy::Join(joined, *other);
  return joined == clock;
}

TestClock Clock(int a, int b = 0, int c = 0, int d = 0) { return TestClock{{a, b, c, d}}; }

class ReleaseSequence : public testing::Test {
protected:
  ~ReleaseSequence() override {
    x.Reset();
    no_fence.Release();
    fence.Release();
    EXPECT_EQ(TestPolicy::live, 0) << "clocks were leaked";
  }
  void ExpectReleased(TestClock expected) {
    ASSERT_TRUE(x.Released());
    EXPECT_EQ(x.Released()->time, expected.time);
  }

  Sequences x{};
  Handle no_fence{}, fence{};
};

TEST_F(ReleaseSequence, StartsEmpty) { EXPECT_FALSE(x.Released()); }

TEST_F(ReleaseSequence, ReleaseStoreReplaces) {
  x.ReleaseStore(kCxx20, 0, Clock(1));
  ExpectReleased(Clock(1));
  x.ReleaseStore(kCxx20, 1, Clock(0, 7));
  ExpectReleased(Clock(0, 7));
}

TEST_F(ReleaseSequence, RelaxedStoreOfAnotherThreadEnds) {
  for (auto rules : {kCxx20, kCxx11}) {
    x.ReleaseStore(rules, 0, Clock(1));
    x.RelaxedStore(rules, 1, no_fence);
    EXPECT_FALSE(x.Released());
    x.Reset();
  }
}

TEST_F(ReleaseSequence, RelaxedStoreOfItsHeadEndsSince2020) {
  x.ReleaseStore(kCxx20, 0, Clock(1));
  x.RelaxedStore(kCxx20, 0, no_fence);
  EXPECT_FALSE(x.Released());
}

TEST_F(ReleaseSequence, RelaxedStoreOfItsHeadContinuedIn2011) {
  x.ReleaseStore(kCxx11, 0, Clock(1));
  x.RelaxedStore(kCxx11, 0, no_fence);
  ExpectReleased(Clock(1));
  x.RelaxedStore(kCxx11, 1, no_fence);
  EXPECT_FALSE(x.Released());
  x.RelaxedStore(kCxx11, 0, no_fence);
  EXPECT_FALSE(x.Released()) << "an ended sequence came back";
}

TEST_F(ReleaseSequence, RelaxedStorePublishesTheFence) {
  fence.AssignShared(Clock(3));
  for (auto rules : {kCxx20, kCxx11}) {
    x.RelaxedStore(rules, 0, fence);
    ExpectReleased(Clock(3));
    x.Reset();
  }
}

TEST_F(ReleaseSequence, RelaxedStoreJoinsFenceAndOwnSequenceIn2011) {
  x.ReleaseStore(kCxx11, 1, Clock(0, 5));
  fence.AssignShared(Clock(0, 0, 3));
  x.RelaxedStore(kCxx11, 1, fence);
  ExpectReleased(Clock(0, 5, 3));
  // The fence is not part of the sequence: without it, the head alone is left.
  x.RelaxedStore(kCxx11, 1, no_fence);
  ExpectReleased(Clock(0, 5));
}

TEST_F(ReleaseSequence, RmwContinues) {
  for (auto rules : {kCxx20, kCxx11}) {
    x.ReleaseStore(rules, 0, Clock(1));
    x.RelaxedRmw(rules, no_fence);
    ExpectReleased(Clock(1));
    x.Reset();
  }
}

TEST_F(ReleaseSequence, ReleaseRmwAddsAHead) {
  for (auto rules : {kCxx20, kCxx11}) {
    x.ReleaseStore(rules, 0, Clock(1));
    x.ReleaseRmw(rules, 1, Clock(0, 2), false);
    ExpectReleased(Clock(1, 2));
    x.Reset();
  }
}

TEST_F(ReleaseSequence, RmwAfterAnEndStartsAnew) {
  for (auto rules : {kCxx20, kCxx11}) {
    x.ReleaseStore(rules, 0, Clock(1));
    x.RelaxedStore(rules, 2, no_fence);
    x.ReleaseRmw(rules, 1, Clock(0, 2), false);
    ExpectReleased(Clock(0, 2));
    x.Reset();
  }
}

TEST_F(ReleaseSequence, RelaxedRmwAddsTheFence) {
  fence.AssignShared(Clock(0, 0, 4));
  for (auto rules : {kCxx20, kCxx11}) {
    x.RelaxedRmw(rules, fence);
    ExpectReleased(Clock(0, 0, 4));
    x.ReleaseStore(rules, 0, Clock(1));
    x.RelaxedRmw(rules, fence);
    ExpectReleased(Clock(1, 0, 4));
    x.Reset();
  }
}

// Figures 3.9 and 3.10: after a store, only the sequence of its thread is left.
TEST_F(ReleaseSequence, StoreCollapsesToItsOwnHeadIn2011) {
  x.ReleaseStore(kCxx11, 0, Clock(1));
  x.ReleaseRmw(kCxx11, 1, Clock(0, 1), false);
  ExpectReleased(Clock(1, 1));
  x.RelaxedStore(kCxx11, 1, no_fence);
  ExpectReleased(Clock(0, 1));
}

TEST_F(ReleaseSequence, StoreCollapsesToNothingSince2020) {
  x.ReleaseStore(kCxx20, 0, Clock(1));
  x.ReleaseRmw(kCxx20, 1, Clock(0, 1), false);
  x.RelaxedStore(kCxx20, 1, no_fence);
  EXPECT_FALSE(x.Released());
}

TEST_F(ReleaseSequence, FenceOfAnRmwIsNotAHeadIn2011) {
  x.ReleaseStore(kCxx11, 0, Clock(1));
  fence.AssignShared(Clock(0, 6));
  x.RelaxedRmw(kCxx11, fence);
  ExpectReleased(Clock(1, 6));
  x.RelaxedStore(kCxx11, 0, no_fence);
  ExpectReleased(Clock(1));
}

TEST_F(ReleaseSequence, SharedFenceClockDoesNotChangeUnderALocation) {
  fence.AssignShared(Clock(1));
  x.RelaxedStore(kCxx20, 0, fence);
  fence.AssignShared(Clock(2));
  ExpectReleased(Clock(1));
  x.ReleaseRmw(kCxx20, 1, Clock(0, 9), false);
  ExpectReleased(Clock(1, 9));
  EXPECT_EQ(fence.Get()->time, Clock(2).time);
}

TEST_F(ReleaseSequence, SharedFenceClockOutlivesItsFence) {
  fence.AssignShared(Clock(5));
  x.RelaxedStore(kCxx20, 0, fence);
  fence.Release();
  ExpectReleased(Clock(5));
}

TEST_F(ReleaseSequence, ManyLocationsShareOneFenceClock) {
  fence.AssignShared(Clock(5));
  std::vector<Sequences> locations(100, Sequences{});
  for (Sequences &location : locations)
    location.RelaxedStore(kCxx20, 0, fence);
  EXPECT_EQ(TestPolicy::live, 2); // the clock and its count
  for (Sequences &location : locations)
    location.Reset();
}

// What the standards say, word by word, of one location's modification order.
class Reference {
public:
  struct Event {
    unsigned thread;
    bool rmw, release;
    TestClock clock, fence;
    bool has_fence;
  };

  void Add(Event event) { order_.push_back(event); }

  // The join of all that the last store's release sequences and fences release.
  TestClock Released(ReleaseSequenceRules rules) const {
    TestClock result{};
    for (size_t head = 0; head < order_.size(); head++) {
      if (!InSequence(head, rules))
        continue;
      if (order_[head].release)
        TestPolicy::Join(result, order_[head].clock);
      // A fence before the head: the sequence it would head if it released.
      if (order_[head].has_fence)
        TestPolicy::Join(result, order_[head].fence);
    }
    return result;
  }

private:
  // Is the last store in the (hypothetical) release sequence of this head?
  bool InSequence(size_t head, ReleaseSequenceRules rules) const {
    for (size_t i = head + 1; i < order_.size(); i++) {
      bool same_thread = rules == kCxx11 && order_[i].thread == order_[head].thread;
      if (!order_[i].rmw && !same_thread)
        return false;
    }
    return true;
  }

  std::vector<Event> order_;
};

TEST_F(ReleaseSequence, AgreesWithTheStandardsOnRandomHistories) {
  std::mt19937 random(1);
  for (auto rules : {kCxx20, kCxx11}) {
    for (int history = 0; history < 20000; history++) {
      Reference reference;
      std::array<TestClock, kThreads> clocks{}, fence_clocks{};
      std::array<Handle, kThreads> fences{};
      for (int step = 0; step < 12; step++) {
        unsigned t = random() % kThreads;
        clocks[t].time[t]++;
        switch (random() % 6) {
        case 0:
          fence_clocks[t] = clocks[t];
          fences[t].AssignShared(clocks[t]);
          continue;
        case 1: // learn what another thread knows, as through a mutex
          TestPolicy::Join(clocks[t], clocks[random() % kThreads]);
          continue;
        }
        bool rmw = random() % 2, release = random() % 2;
        if (rmw && release)
          x.ReleaseRmw(rules, t, clocks[t], Includes(clocks[t], x.Released()));
        else if (rmw)
          x.RelaxedRmw(rules, fences[t]);
        else if (release)
          x.ReleaseStore(rules, t, clocks[t]);
        else
          x.RelaxedStore(rules, t, fences[t]);
        reference.Add({t, rmw, release, clocks[t], fence_clocks[t], fences[t].Get() != nullptr});
        TestClock got = x.Released() ? *x.Released() : TestClock{};
        ASSERT_EQ(got.time, reference.Released(rules).time) << "history " << history;
      }
      for (Handle &handle : fences)
        handle.Release();
      x.Reset();
    }
  }
}

} // namespace
