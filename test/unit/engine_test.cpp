// The engines of heddle/model by hand: what a load may read, and what it gains.
// Whether they allow exactly what their axioms allow is tested by comparison
// with the oracle, in test/litmus.

#include "heddle/model/buffer.h"
#include "heddle/model/mograph.h"
#include "mograph_inspector.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>

namespace {
using namespace __heddle;

constexpr u32 kThreads = 4;

struct TestPolicy {
  using Clock = SmallClock<kThreads>;
  using Value = int;
  static void *Allocate(size_t bytes) {
    live++;
    vectors += bytes == kVectorSize;
    return malloc(bytes);
  }
  static void Free(void *memory) {
    live--;
    free(memory);
  }
  static constexpr bool kConcurrent = false;
  static constexpr bool kSlotsReused = false;
  // Of a Released<TestPolicy>::Vector, and of nothing else here.
  static constexpr size_t kVectorSize = sizeof(Clock) + sizeof(u32);
  static int live;
  static int vectors; // so far
};
int TestPolicy::live = 0;
int TestPolicy::vectors = 0;
static_assert(sizeof(Released<TestPolicy>::Vector) == TestPolicy::kVectorSize);

// Answers with a given number, and remembers how many options there were.
struct Choices {
  u32 answer = 0;
  u32 options = 1;
  bool knows = false; // read what the thread knows of
  u32 views = 0;
  u32 Read(u32 n, const Views &known) {
    options = n;
    views = known.count;
    if (knows)
      return known[answer];
    return answer < n ? answer : n - 1;
  }
  u32 place = 0, places = 1;
  u32 Place(u32 n) {
    places = n;
    return place < n ? place : n - 1;
  }
  bool Spurious() { return false; }
};

template <class E> struct Maker;
template <> struct Maker<BufferEngine<TestPolicy>> {
  using Location = BufferEngine<TestPolicy>::Location;
  static void Make(BufferEngine<TestPolicy> &, std::deque<Location> *to) { to->emplace_back(0); }
  template <class F>
  static int Rmw(BufferEngine<TestPolicy> &e, ModelThread<TestPolicy> *t, Location *x, F f,
                 Order order) {
    return e.Rmw(t, x, f, order);
  }
  static void Store(BufferEngine<TestPolicy> &e, ModelThread<TestPolicy> *t, Location *x, int value,
                    Order order) {
    e.Store(t, x, value, order);
  }
};
template <> struct Maker<MographEngine<TestPolicy>> {
  using Location = MographEngine<TestPolicy>::Location;
  static void Make(MographEngine<TestPolicy> &e, std::deque<Location> *to) {
    to->emplace_back(&e, 0);
  }
  template <class F>
  static int Rmw(MographEngine<TestPolicy> &e, ModelThread<TestPolicy> *t, Location *x, F f,
                 Order order) {
    return e.Rmw(t, x, f, order, Choices());
  }
  static void Store(MographEngine<TestPolicy> &e, ModelThread<TestPolicy> *t, Location *x,
                    int value, Order order) {
    e.Store(t, x, value, order, Choices());
  }
};

template <class E> class EngineTest : public testing::Test {
protected:
  EngineTest() {
    for (int i = 0; i < 3; i++)
      Maker<E>::Make(engine, &locations);
    for (u32 t = 0; t < kThreads; t++)
      threads.emplace_back(t);
  }

  // How many stores a load may read. The load takes place, and reads the newest.
  u32 Options(u32 t, int x, Order order) {
    Choices choices;
    engine.Load(&threads[t], &locations[x], order, choices);
    return choices.options;
  }
  int Load(u32 t, int x, Order order, u32 answer = 0) {
    return engine.Load(&threads[t], &locations[x], order, Choices{answer});
  }
  void Store(u32 t, int x, int value, Order order) {
    Maker<E>::Store(engine, &threads[t], &locations[x], value, order);
  }
  int Add(u32 t, int x, int value, Order order) {
    return Maker<E>::Rmw(
        engine, &threads[t], &locations[x], [&](int v) { return v + value; }, order);
  }

  E engine;
  std::deque<typename Maker<E>::Location> locations;
  std::deque<ModelThread<TestPolicy>> threads;
};

using Engines = testing::Types<BufferEngine<TestPolicy>, MographEngine<TestPolicy>>;
TYPED_TEST_SUITE(EngineTest, Engines);

TYPED_TEST(EngineTest, InitialValueIsAStore) {
  EXPECT_EQ(this->Load(0, 0, Order::kRelaxed), 0);
  this->Store(1, 0, 1, Order::kRelaxed);
  EXPECT_EQ(this->Options(2, 0, Order::kRelaxed), 2u);
}

TYPED_TEST(EngineTest, InitialValueCanBeReadStale) {
  this->Store(1, 0, 1, Order::kRelaxed);
  EXPECT_EQ(this->Load(2, 0, Order::kRelaxed, 1), 0);
  EXPECT_EQ(this->Load(2, 0, Order::kRelaxed, 0), 1);
}

TYPED_TEST(EngineTest, NewestIsTheDefault) {
  for (int i = 1; i <= 5; i++) {
    this->Store(i % 3, 0, i, Order::kRelaxed);
    EXPECT_EQ(this->Load(3, 0, Order::kRelaxed), i);
  }
}

TYPED_TEST(EngineTest, OwnStoreHidesEarlierOnes) {
  this->Store(0, 0, 1, Order::kRelaxed);
  EXPECT_EQ(this->Options(0, 0, Order::kRelaxed), 1u);
}

TYPED_TEST(EngineTest, ReadingNeverGoesBack) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->Store(0, 0, 2, Order::kRelaxed);
  EXPECT_EQ(this->Load(1, 0, Order::kRelaxed), 2);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 1u);
}

TYPED_TEST(EngineTest, AcquireSeesWhatWasReleased) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->Store(0, 1, 1, Order::kRelease);
  EXPECT_EQ(this->Load(1, 1, Order::kAcquire), 1);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 1u);
}

TYPED_TEST(EngineTest, RelaxedDoesNot) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->Store(0, 1, 1, Order::kRelease);
  EXPECT_EQ(this->Load(1, 1, Order::kRelaxed), 1);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 2u);
}

TYPED_TEST(EngineTest, ClockBelongsToTheStore) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->Store(0, 1, 1, Order::kRelease);
  this->Store(2, 1, 2, Order::kRelaxed);
  // A stale acquire load synchronises with the store it reads, not the last one.
  EXPECT_EQ(this->Load(1, 1, Order::kAcquire, 1), 1);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 1u);
  EXPECT_EQ(this->Load(3, 1, Order::kAcquire, 0), 2);
  EXPECT_EQ(this->Options(3, 0, Order::kRelaxed), 2u);
}

TYPED_TEST(EngineTest, RmwContinuesAReleaseSequence) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->Store(0, 1, 1, Order::kRelease);
  EXPECT_EQ(this->Add(2, 1, 1, Order::kRelaxed), 1);
  EXPECT_EQ(this->Load(1, 1, Order::kAcquire), 2);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 1u);
}

TYPED_TEST(EngineTest, FencesSynchronise) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->engine.Fence(&this->threads[0], Order::kRelease);
  this->Store(0, 1, 1, Order::kRelaxed);
  EXPECT_EQ(this->Load(1, 1, Order::kRelaxed), 1);
  this->engine.Fence(&this->threads[1], Order::kAcquire);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 1u);
}

TYPED_TEST(EngineTest, SeqCstFencesForbidStoreBuffering) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->engine.Fence(&this->threads[0], Order::kSeqCst);
  this->Store(1, 1, 1, Order::kRelaxed);
  this->engine.Fence(&this->threads[1], Order::kSeqCst);
  EXPECT_EQ(this->Load(0, 1, Order::kRelaxed, 1), 0); // its fence came first
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 1u);
}

TYPED_TEST(EngineTest, SeqCstLoadReadsTheLastSeqCstStore) {
  this->Store(0, 0, 1, Order::kSeqCst);
  this->Store(1, 0, 2, Order::kSeqCst);
  this->Store(1, 1, 1, Order::kSeqCst);
  EXPECT_EQ(this->Load(2, 1, Order::kSeqCst), 1); // so it comes after all of them
  EXPECT_EQ(this->Options(2, 0, Order::kSeqCst), 1u);
  EXPECT_EQ(this->Options(3, 0, Order::kRelaxed), 3u); // the rule is for seq_cst loads
}

TYPED_TEST(EngineTest, LocksOrder) {
  SmallClock<kThreads> lock;
  this->Store(0, 0, 1, Order::kRelaxed);
  this->threads[0].ReleaseTo(&lock);
  this->threads[1].Acquire(lock);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 1u);
}

TYPED_TEST(EngineTest, FailedCompareExchangeIsALoadWithItsOwnOrder) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->Store(0, 1, 1, Order::kRelease);
  int expected = 7;
  EXPECT_FALSE(this->engine.CompareExchange(&this->threads[1], &this->locations[1], &expected, 9,
                                            Order::kAcqRel, Order::kRelaxed, false, Choices()));
  EXPECT_EQ(expected, 1);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 2u);
  expected = 7;
  EXPECT_FALSE(this->engine.CompareExchange(&this->threads[2], &this->locations[1], &expected, 9,
                                            Order::kRelaxed, Order::kAcquire, false, Choices()));
  EXPECT_EQ(this->Options(2, 0, Order::kRelaxed), 1u);
}

TYPED_TEST(EngineTest, AThreadKnowsWhatHappenedBefore) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->Store(0, 0, 2, Order::kRelease);
  this->Store(0, 0, 3, Order::kRelaxed);
  auto known = [this](u32 t, Order order) {
    Choices choices;
    choices.knows = true;
    return this->engine.Load(&this->threads[t], &this->locations[0], order, choices);
  };
  EXPECT_EQ(known(1, Order::kRelaxed), 0);
  EXPECT_EQ(known(1, Order::kSeqCst), 0);
  // What it has read is what it knows.
  const int read = this->Load(1, 0, Order::kRelaxed, 2);
  EXPECT_NE(read, 0);
  EXPECT_EQ(known(1, Order::kRelaxed), read);
  EXPECT_EQ(known(0, Order::kRelaxed), 3);
  EXPECT_EQ(known(2, Order::kRelaxed), 0);
}

TYPED_TEST(EngineTest, AThreadThatWaitsHasMadeItsStoresVisible) {
  this->Store(0, 0, 1, Order::kRelaxed);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 2u);
  this->engine.BecomeVisible(&this->threads[0]);
  EXPECT_EQ(this->Options(2, 0, Order::kRelaxed), 1u);
}

// And nothing of it happens before.
TYPED_TEST(EngineTest, AThreadThatWasWokenHasSeenWhatItsWakerDid) {
  this->Store(0, 0, 1, Order::kRelaxed);
  this->Store(2, 1, 1, Order::kRelaxed);
  EXPECT_EQ(this->Load(0, 1, Order::kRelaxed), 1); // what the waker has read counts, too
  this->engine.Wakes(this->threads[0]);
  EXPECT_EQ(this->Options(3, 0, Order::kRelaxed), 2u);
  this->engine.Woken(&this->threads[1]);
  EXPECT_EQ(this->Options(1, 0, Order::kRelaxed), 1u);
  EXPECT_EQ(this->Options(1, 1, Order::kRelaxed), 1u);
  EXPECT_EQ(this->threads[1].clock().Get(0), 0u);
}

TYPED_TEST(EngineTest, ReleasesOfAnUnchangedThreadShareOneVector) {
  int before = TestPolicy::vectors;
  for (int i = 0; i < 4; i++)
    this->Store(0, i % 3, i, Order::kRelease);
  EXPECT_EQ(TestPolicy::vectors, before + 1);
}

using Graph = MographEngine<TestPolicy>;

TEST(Mograph, AStoreGoesWhereItIsPut) {
  Graph engine;
  Graph::Location x(&engine, 0);
  ModelThread<TestPolicy> a(0), b(1), c(2);
  EXPECT_TRUE(engine.Store(&a, &x, 1, Order::kRelaxed, Choices()));
  Choices second;
  second.place = 1;
  EXPECT_FALSE(engine.Store(&b, &x, 2, Order::kRelaxed, second));
  EXPECT_EQ(second.places, 2u); // behind 1, and behind the initial value
  EXPECT_EQ(x.Latest(), 1);
  // a has stored 1, and so cannot read 2; b can read both.
  Choices choices;
  EXPECT_EQ(engine.Load(&a, &x, Order::kRelaxed, choices), 1);
  EXPECT_EQ(choices.options, 1u);
  EXPECT_EQ(engine.Load(&b, &x, Order::kRelaxed, choices), 1);
  EXPECT_EQ(choices.options, 2u);
  EXPECT_EQ(engine.Load(&c, &x, Order::kRelaxed, choices), 1);
  EXPECT_EQ(choices.options, 3u);
  EXPECT_EQ(MographInspector::Check(x), "");
}

TEST(Mograph, NothingComesBetweenAStoreAndItsRmw) {
  Graph engine;
  Graph::Location x(&engine, 0);
  ModelThread<TestPolicy> a(0), b(1), c(2);
  engine.Store(&a, &x, 1, Order::kRelaxed, Choices());
  engine.Rmw(&b, &x, [](int) { return 2; }, Order::kRelaxed, Choices());
  Choices choices;
  choices.place = 1;
  EXPECT_FALSE(engine.Store(&c, &x, 3, Order::kRelaxed, choices));
  EXPECT_EQ(choices.places, 2u); // at the end, and after the initial value
  EXPECT_EQ(engine.Load(&c, &x, Order::kRelaxed, Choices{2}), 3);
  // An RMW reads no store that another has read.
  Choices rmw{9};
  EXPECT_EQ(engine.Rmw(&c, &x, [](int) { return 4; }, Order::kRelaxed, rmw), 3);
  EXPECT_EQ(rmw.options, 2u);
  EXPECT_EQ(x.Latest(), 2);
  EXPECT_EQ(MographInspector::Check(x), "");
}

// C++20: a fence counts for all that happens before it, also what other threads did. A
// reclaimer that is told of an unlinked node by another thread relies on it.
TEST(Mograph, AFenceOrdersWhatOtherThreadsDidBefore) {
  for (SeqCstRules rules : {SeqCstRules::kCxx20, SeqCstRules::kCxx11}) {
    MographOptions options;
    options.seq_cst = rules;
    Graph engine(options);
    Graph::Location x(&engine, 0), y(&engine, 0), z(&engine, 0);
    ModelThread<TestPolicy> a(0), b(1), c(2);
    engine.Store(&a, &x, 1, Order::kRelaxed, Choices());
    engine.Store(&a, &z, 1, Order::kRelease, Choices());
    EXPECT_EQ(engine.Load(&b, &z, Order::kAcquire, Choices()), 1);
    engine.Fence(&b, Order::kSeqCst);
    EXPECT_EQ(engine.Load(&b, &y, Order::kRelaxed, Choices()), 0);
    engine.Store(&c, &y, 1, Order::kRelaxed, Choices());
    engine.Fence(&c, Order::kSeqCst);
    Choices choices;
    engine.Load(&c, &x, Order::kRelaxed, choices);
    // b's fence precedes c's, as b has not seen y; so c sees x.
    EXPECT_EQ(choices.options, rules == SeqCstRules::kCxx20 ? 1u : 2u);
    EXPECT_EQ(MographInspector::Check(x), "");
  }
}

// C++20: S need not agree with the order of execution. A seq_cst store and a relaxed one
// may come in the other order, as they do on Arm.
TEST(Mograph, ASeqCstStoreDoesNotHoldBackARelaxedOne) {
  for (SeqCstRules rules : {SeqCstRules::kCxx20, SeqCstRules::kCxx11}) {
    MographOptions options;
    options.seq_cst = rules;
    Graph engine(options);
    Graph::Location x(&engine, 0), y(&engine, 0);
    ModelThread<TestPolicy> a(0), b(1);
    engine.Store(&a, &x, 1, Order::kSeqCst, Choices());
    engine.Store(&a, &y, 1, Order::kRelaxed, Choices());
    EXPECT_EQ(engine.Load(&b, &y, Order::kSeqCst, Choices()), 1);
    Choices choices;
    engine.Load(&b, &x, Order::kSeqCst, choices);
    EXPECT_EQ(choices.options, rules == SeqCstRules::kCxx20 ? 2u : 1u);
    EXPECT_EQ(MographInspector::Check(x), "");
  }
}

// What waits for a fence does not depend on which comes first, the fence or the load that
// has read an older store.
TEST(Mograph, AFenceThatComesLaterKnowsOfStaleReads) {
  Graph engine;
  Graph::Location x(&engine, 0), y(&engine, 0);
  ModelThread<TestPolicy> a(0), b(1);
  engine.Store(&a, &x, 1, Order::kRelaxed, Choices());
  engine.Store(&b, &y, 1, Order::kRelaxed, Choices());
  engine.Fence(&b, Order::kSeqCst);
  EXPECT_EQ(engine.Load(&b, &x, Order::kRelaxed, Choices{1}), 0);
  engine.Fence(&a, Order::kSeqCst);
  Choices choices;
  EXPECT_EQ(engine.Load(&a, &y, Order::kRelaxed, choices), 1);
  EXPECT_EQ(choices.options, 1u);
  EXPECT_EQ(MographInspector::Check(x), "");
}

TEST(Mograph, SeqCstOperationsThatAllKnowAreForgotten) {
  MographOptions options;
  options.prune_interval = 1;
  Graph engine(options);
  Graph::Location x(&engine, 0);
  ModelThread<TestPolicy> a(0), b(1);
  engine.Begin(&a);
  engine.Begin(&b);
  for (int i = 0; i < 1000; i++) {
    auto *thread = i % 2 ? &a : &b;
    engine.Rmw(thread, &x, [](int v) { return v + 1; }, Order::kSeqCst, Choices());
    if (i > 500)
      engine.Fence(thread, Order::kSeqCst);
    ASSERT_LE(MographInspector::SeqCstOperations(engine), 8u);
    ASSERT_LE(x.stores(), 4u);
    ASSERT_EQ(MographInspector::Check(x), "");
  }
}

// Threads that never meet: above a limit S is decided for the older half.
TEST(Mograph, SeqCstOperationsOfThreadsThatNeverMeetAreBounded) {
  MographOptions options;
  options.prune_interval = 1;
  options.max_seq_cst = 20;
  options.max_stores = 20;
  Graph engine(options);
  Graph::Location x(&engine, 0), y(&engine, 0);
  ModelThread<TestPolicy> a(0), b(1);
  engine.Begin(&a);
  engine.Begin(&b);
  for (int i = 0; i < 1000; i++) {
    engine.Store(&a, &x, i, Order::kSeqCst, Choices());
    engine.Fence(&b, Order::kSeqCst);
    engine.Store(&b, &y, i, Order::kRelaxed, Choices());
    ASSERT_LE(MographInspector::SeqCstOperations(engine), 24u);
    ASSERT_EQ(MographInspector::Check(x), "");
  }
  // What is decided is seen by all.
  Choices choices{99};
  EXPECT_GT(engine.Load(&b, &x, Order::kSeqCst, choices), 900);
}

TEST(Mograph, ConservativePruningKeepsOneStore) {
  MographOptions options;
  options.prune_interval = 1;
  Graph engine(options);
  Graph::Location x(&engine, 0);
  ModelThread<TestPolicy> a(0), b(1);
  engine.Begin(&a);
  engine.Begin(&b);
  for (int i = 0; i < 100; i++) {
    engine.Store(&a, &x, i, Order::kRelease, Choices());
    engine.Load(&b, &x, Order::kAcquire, Choices());
  }
  EXPECT_LE(x.stores(), 3u);
  engine.End(&b); // no more reads of its to wait for
  engine.Store(&a, &x, 100, Order::kRelaxed, Choices());
  EXPECT_EQ(x.stores(), 1u);
}

// A main thread that joins its workers knows nothing of what they do, and will know all.
TEST(Mograph, WhoAwaitsAThreadKeepsNoStores) {
  MographOptions options;
  options.prune_interval = 1;
  Graph engine(options);
  Graph::Location x(&engine, 0);
  ModelThread<TestPolicy> main(0), a(1), b(2);
  for (auto *thread : {&main, &a, &b})
    engine.Begin(thread);
  auto exchange = [&] {
    for (int i = 0; i < 100; i++) {
      engine.Store(&a, &x, i, Order::kRelease, Choices());
      engine.Load(&b, &x, Order::kAcquire, Choices());
    }
  };
  exchange();
  EXPECT_GE(x.stores(), 100u);
  engine.Await(&main, &b);
  exchange();
  EXPECT_LE(x.stores(), 3u);
  engine.End(&b); // main has yet to learn what b knew
  engine.Store(&a, &x, 100, Order::kRelaxed, Choices());
  engine.Store(&a, &x, 101, Order::kRelaxed, Choices());
  Choices choices{2};
  EXPECT_NE(engine.Load(&main, &x, Order::kRelaxed, choices), 101);
  EXPECT_EQ(MographInspector::Check(x), "");
}

// Each has its own last store, and can read none before.
TEST(Mograph, ThreadsThatMeetInRelaxedOperationsKeepTheirLastStores) {
  MographOptions options;
  options.prune_interval = 1;
  Graph engine(options);
  Graph::Location x(&engine, 0);
  ModelThread<TestPolicy> a(0), b(1);
  engine.Begin(&a);
  engine.Begin(&b);
  for (int i = 0; i < 1000; i++) {
    engine.Rmw(i % 2 ? &a : &b, &x, [](int v) { return v + 1; }, Order::kRelaxed, Choices());
    ASSERT_LE(x.stores(), 4u);
  }
  Choices choices;
  EXPECT_EQ(engine.Load(&b, &x, Order::kRelaxed, choices), 1000);
  EXPECT_EQ(choices.options, 2u); // a's last store, and its own before it
}

TEST(Mograph, WindowBoundsThreadsThatNeverSynchronise) {
  MographOptions options;
  options.prune_interval = 1;
  options.window = 8;
  Graph engine(options);
  Graph::Location x(&engine, 0);
  std::deque<ModelThread<TestPolicy>> threads;
  for (u32 t = 0; t < kThreads; t++) {
    threads.emplace_back(t);
    engine.Begin(&threads.back());
  }
  for (int i = 0; i < 1000; i++) {
    engine.Store(&threads[i % kThreads], &x, i, Order::kRelaxed, Choices());
    if (i % 3 == 0)
      engine.Rmw(&threads[i % 2], &x, [&](int) { return i; }, Order::kRelaxed, Choices());
  }
  EXPECT_LE(x.stores(), 9u);
  EXPECT_EQ(MographInspector::Check(x), "");
}

TEST(Mograph, MemoryLimitTakesEffect) {
  MographOptions options;
  options.prune_interval = 1;
  options.prune = false;
  options.max_stores = 20;
  Graph engine(options);
  Graph::Location x(&engine, 0);
  ModelThread<TestPolicy> a(0), b(1);
  engine.Begin(&a);
  engine.Begin(&b);
  for (int i = 0; i < 1000; i++)
    engine.Store(i % 2 ? &a : &b, &x, i, Order::kRelaxed, Choices());
  EXPECT_LE(engine.stores(), 24u);
}

TEST(Buffer, ForgetsTheOldest) {
  BufferOptions options;
  options.history = 3;
  BufferEngine<TestPolicy> engine(options);
  BufferEngine<TestPolicy>::Location x(0);
  ModelThread<TestPolicy> a(0), b(1);
  for (int i = 1; i <= 10; i++)
    engine.Store(&a, &x, i, Order::kRelaxed);
  Choices choices{99};
  EXPECT_EQ(engine.Load(&b, &x, Order::kRelaxed, choices), 8);
}

// None of them synchronises, but each has its own last store, and can read none before.
TEST(Buffer, ManyLocationsKeepWhatThreadsCanRead) {
  BufferEngine<TestPolicy> engine;
  std::deque<BufferEngine<TestPolicy>::Location> locations;
  ModelThread<TestPolicy> a(0), b(1), stranger(2);
  engine.Begin(&a);
  engine.Begin(&b);
  for (int i = 0; i < 1000; i++)
    locations.emplace_back(0);
  for (int i = 1; i <= 20; i++)
    for (auto &x : locations)
      engine.Store(i % 2 ? &a : &b, &x, i, i > 10 ? Order::kRelease : Order::kRelaxed);
  u32 most = 0;
  for (auto &x : locations) {
    Choices choices;
    EXPECT_EQ(engine.Load(&stranger, &x, Order::kRelaxed, choices), 20);
    most = choices.options > most ? choices.options : most;
  }
  EXPECT_LE(most, 4u);
}

// One that is stored to all the time has more room than that, and threads are asked seldom.
TEST(Buffer, ThreadsThatStoreKeepWhatTheyCanRead) {
  BufferEngine<TestPolicy> engine;
  BufferEngine<TestPolicy>::Location x(0), y(0);
  ModelThread<TestPolicy> a(0), b(1), stranger(2);
  engine.Begin(&a);
  engine.Begin(&b);
  for (int i = 1; i <= 100; i++)
    engine.Store(i % 2 ? &a : &b, &x, i, Order::kRelaxed);
  Choices choices;
  engine.Load(&stranger, &x, Order::kRelaxed, choices);
  EXPECT_LE(choices.options, 16u);
  // What one of them has not come to yet is all there.
  for (int i = 1; i <= 100; i++)
    engine.Store(&a, &y, i, Order::kRelaxed);
  engine.Load(&b, &y, Order::kRelaxed, choices);
  EXPECT_EQ(choices.options, 101u);
}

// What C++20 says of seq_cst operations, and C++11 does not: see buffer_seq_cst.h.
class BufferSeqCst : public testing::TestWithParam<SeqCstRules> {
protected:
  using Engine = BufferEngine<TestPolicy>;

  static BufferOptions OptionsOf(SeqCstRules rules) {
    BufferOptions options;
    options.seq_cst = rules;
    return options;
  }
  // How many stores a load may read.
  u32 Options(ModelThread<TestPolicy> *thread, Engine::Location *from, Order order) {
    Choices choices;
    engine.Load(thread, from, order, choices);
    return choices.options;
  }
  u32 OneInCxx20(u32 in_2011) const { return GetParam() == SeqCstRules::kCxx20 ? 1 : in_2011; }

  Engine engine{OptionsOf(GetParam())};
  Engine::Location x{0}, y{0};
  ModelThread<TestPolicy> a{0}, b{1}, c{2}, d{3};
};
INSTANTIATE_TEST_SUITE_P(, BufferSeqCst, testing::Values(SeqCstRules::kCxx20, SeqCstRules::kCxx11));

TEST_P(BufferSeqCst, AFenceOrdersWhatOtherThreadsDidBefore) {
  engine.Store(&a, &x, 1, Order::kRelease);
  engine.Load(&b, &x, Order::kAcquire, Choices());
  engine.Fence(&b, Order::kSeqCst);
  EXPECT_EQ(Options(&c, &x, Order::kRelaxed), 2u);
  engine.Fence(&d, Order::kSeqCst);
  EXPECT_EQ(Options(&d, &x, Order::kRelaxed), OneInCxx20(2));
}

TEST_P(BufferSeqCst, AFenceOrdersWhatItsThreadHasRead) {
  engine.Store(&a, &x, 1, Order::kRelaxed);
  engine.Load(&b, &x, Order::kRelaxed, Choices());
  engine.Fence(&b, Order::kSeqCst);
  EXPECT_EQ(Options(&c, &x, Order::kSeqCst), OneInCxx20(2));
}

TEST_P(BufferSeqCst, AFenceOfAnotherThreadOrdersALoad) {
  SmallClock<kThreads> lock;
  engine.Store(&a, &x, 1, Order::kRelaxed);
  engine.Fence(&a, Order::kSeqCst);
  EXPECT_EQ(Options(&d, &x, Order::kRelaxed), 2u); // the first of a thread
  engine.Fence(&b, Order::kSeqCst);
  engine.Store(&a, &y, 1, Order::kRelaxed);
  b.ReleaseTo(&lock);
  engine.Fence(&a, Order::kSeqCst);
  c.Acquire(lock);
  EXPECT_EQ(Options(&c, &x, Order::kRelaxed), OneInCxx20(2));
  EXPECT_EQ(Options(&c, &y, Order::kRelaxed), 2u); // stored after b's fence
}

TEST_P(BufferSeqCst, ASeqCstLoadIsInTheOrderToo) {
  engine.Store(&a, &x, 1, Order::kRelaxed);
  engine.Fence(&c, Order::kSeqCst);
  EXPECT_EQ(engine.Load(&b, &x, Order::kSeqCst, Choices()), 1);
  EXPECT_EQ(engine.Load(&c, &x, Order::kRelaxed, Choices{1}), 0); // its fence came first
  engine.Fence(&c, Order::kSeqCst);
  EXPECT_EQ(Options(&c, &x, Order::kRelaxed), OneInCxx20(2));
  EXPECT_EQ(Options(&d, &x, Order::kSeqCst), OneInCxx20(2));
}

// Which of them a thread knows of is not told apart.
TEST_P(BufferSeqCst, FencesOfLongAgoAreForgotten) {
  SmallClock<kThreads> lock;
  b.ReleaseTo(&lock);
  engine.Store(&a, &x, 1, Order::kRelaxed);
  engine.Fence(&a, Order::kSeqCst);
  c.Acquire(lock);
  EXPECT_EQ(Options(&d, &x, Order::kRelaxed), 2u);
  EXPECT_EQ(engine.Load(&c, &x, Order::kRelaxed, Choices{1}), 0);
  for (u32 i = 1; i < BufferFences<TestPolicy>::kKept; i++)
    engine.Fence(&a, Order::kSeqCst);
  EXPECT_EQ(engine.Load(&c, &x, Order::kRelaxed, Choices{1}), 0); // it has learnt nothing
  c.Acquire(lock);
  EXPECT_EQ(engine.Load(&c, &x, Order::kRelaxed, Choices{1}), 0); // all are remembered
  engine.Fence(&a, Order::kSeqCst);
  c.Acquire(lock);
  EXPECT_EQ(Options(&c, &x, Order::kRelaxed), OneInCxx20(2));
}

TEST_P(BufferSeqCst, FencesBeforeAllStartedAnewBindNobody) {
  engine.Store(&a, &x, 1, Order::kSeqCst);
  engine.Fence(&a, Order::kSeqCst);
  engine.Fence(&b, Order::kSeqCst);
  EXPECT_EQ(Options(&b, &x, Order::kRelaxed), 1u);
  engine.StartAnew();
  Engine::Location z(0);
  for (auto *thread : {&a, &b}) {
    SmallClock<kThreads> clock;
    clock.Set(thread->slot(), 1);
    thread->StartAnew();
    thread->MoveTo(clock, thread->slot());
  }
  engine.Store(&a, &z, 1, Order::kRelaxed);
  EXPECT_EQ(Options(&b, &z, Order::kSeqCst), 2u);
}

TEST(Engines, LeakNothing) { EXPECT_EQ(TestPolicy::live, 0); }

} // namespace
