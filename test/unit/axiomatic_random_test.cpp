// The axiomatic models against a naive implementation of the same axioms, and
// against each other, on random programs.

#include "axiomatic_naive.h"
#include "heddle/litmus/axiomatic.h"
#include "litmus_builders.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <sstream>

namespace {
using namespace heddle::litmus;

// Random programs. Uniformly random ones rarely show more than sequential
// consistency allows. Most of ours grow from a cycle, as the classic shapes do:
// each thread accesses a location, and then the first location of the next
// thread. Release sequences matter even less often, so there is a shape for them.

class Generator {
public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Program Make(int events) {
    rmws_left_ = Below(4);
    flavour_ = Flavour(Below(5));
    int shape = Below(10);
    if (shape < 2 || events < 4)
      MakeUniform(events);
    else if (shape < 4)
      MakeMessage(events);
    else
      MakeCycle(events);
    for (auto &body : bodies_)
      if (Below(12) == 0)
        AddBranch(&body);
    Program program = build::MakeProgram(bodies_, true);
    for (Location &location : program.locations)
      if (Below(10) == 0)
        location.initial = 1;
    return program;
  }

private:
  enum class Flavour { kRelaxed, kSeqCst, kReleaseAcquire, kMixed, kMixedToo };

  int Below(int bound) { return static_cast<int>(random_() % bound); }

  void MakeUniform(int events) {
    int threads = 2 + Below(std::min(3, events - 1));
    locations_ = 1 + Below(3);
    bodies_.assign(threads, {});
    for (int i = 0; i < events; i++)
      Insert(&bodies_[i < threads ? i : Below(threads)], Below(100), Below(locations_));
  }

  void MakeCycle(int events) {
    int threads = 2 + (events >= 6 ? Below(2) : 0);
    locations_ = threads;
    bodies_.assign(threads, {});
    for (int t = 0; t < threads; t++) {
      Append(&bodies_[t], SomeAccess(), t);
      Append(&bodies_[t], SomeAccess(), (t + 1) % threads);
    }
    // One that only writes makes WRC or IRIW of it.
    int left = events - 2 * threads;
    if (left > 0 && Below(4) == 0) {
      left--;
      bodies_.push_back({});
      Append(&bodies_.back(), kStoreBelow - 1, Below(locations_));
    }
    while (left-- > 0) {
      build::Body *body = &bodies_[Below(static_cast<int>(bodies_.size()))];
      // A fence in the middle, where it says most, or anything.
      if (Below(3) == 0)
        InsertAt(body, 1, kFenceBelow - 1, 0);
      else
        Insert(body, Below(100), Below(locations_));
    }
  }

  // Message passing, and more writes of the flag, for release sequences.
  void MakeMessage(int events) {
    using build::kAcq, build::kRel, build::kRlx;
    locations_ = 2;
    bool release_fence = events > 5 && Below(3) == 0, acquire_fence = events > 5 && Below(3) == 0;
    bodies_ = {{build::Store(build::kX, 1, kRlx)}, {}};
    if (release_fence)
      bodies_[0].push_back(build::Fence(kRel));
    bodies_[0].push_back(build::Store(build::kY, 1, release_fence ? kRlx : kRel));
    bodies_[1].push_back(build::Load(0, build::kY, acquire_fence ? kRlx : kAcq));
    if (acquire_fence)
      bodies_[1].push_back(build::Fence(kAcq));
    bodies_[1].push_back(build::Load(1, build::kX, kRlx));
    int left = events - 4 - release_fence - acquire_fence;
    if (left > 0 && Below(2))
      bodies_.push_back({});
    while (left-- > 0) {
      int kind = kLoadBelow + Below(100 - kLoadBelow);
      if (Below(2))
        Append(&bodies_[0], kind, build::kY);
      else
        Insert(&bodies_.back(), kind, build::kY);
    }
  }

  // A kind of event is a number below 100.
  static constexpr int kFenceBelow = 12, kLoadBelow = 50, kStoreBelow = 84;
  int SomeAccess() { return kFenceBelow + Below(100 - kFenceBelow); }

  Order Pick(std::initializer_list<Order> orders) {
    switch (flavour_) {
    case Flavour::kRelaxed:
      return Below(5) ? Order::kRelaxed : Order::kSeqCst;
    case Flavour::kSeqCst:
      return Below(5) ? Order::kSeqCst : orders.begin()[Below(static_cast<int>(orders.size()))];
    case Flavour::kReleaseAcquire:
      return orders.begin()[Below(static_cast<int>(orders.size() - 1))];
    default:
      return orders.begin()[Below(static_cast<int>(orders.size()))];
    }
  }

  // Also of the values read before.
  Expression SomeValue(int registers) {
    if (registers > 0 && Below(5) == 0) {
      Expression read = build::Register(Below(registers));
      if (Below(2))
        return read;
      return build::Binary(Expression::Kind::kAdd, read, build::Constant(1));
    }
    return build::Constant(1 + Below(2));
  }

  void Insert(build::Body *body, int kind, int location) {
    InsertAt(body, Below(static_cast<int>(body->size()) + 1), kind, location);
  }
  void Append(build::Body *body, int kind, int location) {
    InsertAt(body, body->size(), kind, location);
  }
  void InsertAt(build::Body *body, size_t at, int kind, int location) {
    using build::kAcq, build::kAcqRel, build::kRel, build::kRlx, build::kSc;
    int registers = 0, locations = 0;
    build::CountNames(*body, &registers, &locations);
    build::Body statements;
    if (kind < kFenceBelow) {
      Order order =
          flavour_ == Flavour::kRelaxed ? kSc : Pick({kAcq, kRel, kAcqRel, kRlx, kSc, kSc});
      statements = {build::Fence(order)};
    } else if (kind >= kStoreBelow && rmws_left_ > 0) {
      rmws_left_--;
      Order order = Pick({kRlx, Order::kConsume, kAcq, kRel, kAcqRel, kSc});
      if (Below(2)) {
        auto operation = static_cast<RmwOperation>(Below(6));
        statements = {build::Rmw(registers, location, operation, SomeValue(registers), order)};
      } else {
        int expected = registers && Below(3) == 0 ? Below(registers) : registers++;
        if (Below(2))
          statements = {build::Assign(expected, build::Constant(1))};
        statements.push_back(build::CompareExchange(registers, location, expected,
                                                    SomeValue(registers), order,
                                                    Pick({kRlx, kAcq, kSc}), Below(3) == 0));
      }
    } else if (kind < kLoadBelow) {
      statements = {build::Load(registers, location, Pick({kRlx, kAcq, Order::kConsume, kSc}))};
    } else {
      statements = {build::Store(location, SomeValue(registers), Pick({kRlx, kRel, kSc}))};
    }
    body->insert(body->begin() + std::min(at, body->size()), statements.begin(), statements.end());
  }

  // Puts the end of a thread under a condition.
  void AddBranch(build::Body *body) {
    size_t from = 1 + Below(3);
    int registers = 0, locations = 0;
    if (from >= body->size())
      return;
    build::Body start(body->begin(), body->begin() + from);
    build::Body rest(body->begin() + from, body->end());
    build::CountNames(start, &registers, &locations);
    if (registers == 0)
      return;
    build::Body other;
    if (Below(2))
      other = {build::Store(Below(locations_), 2, Pick({build::kRlx, build::kRel, build::kSc}))};
    start.push_back(build::If(build::Register(Below(registers)), rest, other));
    *body = start;
  }

  std::mt19937 random_;
  int locations_ = 1, rmws_left_ = 0;
  Flavour flavour_ = Flavour::kMixed;
  std::vector<build::Body> bodies_;
};

std::string Describe(const Outcome &outcome) {
  std::ostringstream text;
  for (const auto &[state, count] : outcome.states) {
    for (Value value : state)
      text << value << ' ';
    text << ": " << count << '\n';
  }
  return text.str();
}

struct Setting {
  const char *name;
  AxiomaticModel model;
  ReleaseSequence release_sequence;
};
const Setting kSettings[] = {
    {"C11Tester", AxiomaticModel::kC11Tester, ReleaseSequence::kCxx20},
    {"C11Tester, C++11 release sequences", AxiomaticModel::kC11Tester, ReleaseSequence::kCxx11},
    {"tsan11", AxiomaticModel::kTsan11, ReleaseSequence::kCxx20},
    {"tsan11, C++11 release sequences", AxiomaticModel::kTsan11, ReleaseSequence::kCxx11},
    {"C++20", AxiomaticModel::kCxx20, ReleaseSequence::kCxx20},
    {"C++20, C++11 release sequences", AxiomaticModel::kCxx20, ReleaseSequence::kCxx11},
    {"tsan20", AxiomaticModel::kTsan20, ReleaseSequence::kCxx20},
    {"tsan20, C++11 release sequences", AxiomaticModel::kTsan20, ReleaseSequence::kCxx11},
    {"SC", AxiomaticModel::kSc, ReleaseSequence::kCxx20},
    {"SC, C++11 release sequences", AxiomaticModel::kSc, ReleaseSequence::kCxx11},
};

int FromEnvironment(const char *name, int otherwise) {
  const char *value = std::getenv(name);
  return value ? std::atoi(value) : otherwise;
}

// HEDDLE_AXIOMATIC_PROGRAMS and HEDDLE_AXIOMATIC_SEED for a longer look.
TEST(AxiomaticRandom, AgreesWithTheNaiveImplementation) {
  const int programs = FromEnvironment("HEDDLE_AXIOMATIC_PROGRAMS", 4000);
  const int seed = FromEnvironment("HEDDLE_AXIOMATIC_SEED", 1);
  const int most_events = FromEnvironment("HEDDLE_AXIOMATIC_EVENTS", 6);
  int beyond = 0;
  for (int i = 0; i < programs; i++) {
    Program program = Generator(seed * 1000003 + i).Make(3 + i % (most_events - 2));
    for (const Setting &setting : kSettings) {
      AxiomaticOptions options;
      options.model = setting.model;
      options.release_sequence = setting.release_sequence;
      Outcome fast = RunAxiomatic(program, options), expected;
      if (!naive::Naive(program, options).Run(&expected)) {
        beyond++;
        break;
      }
      ASSERT_EQ(Describe(fast), Describe(expected)) << setting.name << ", program " << i;
      ASSERT_EQ(fast.executions, expected.executions);
      ASSERT_GT(fast.executions, 0u) << setting.name << ", program " << i;
    }
  }
  EXPECT_LT(beyond, programs / 50);
}

// The models are comparable. SC is the strongest. acyclic(sb | asw | rf | mo | sc)
// is acyclic(hb | rf | sc) and more. More synchronization means fewer executions.
TEST(AxiomaticRandom, StrongerModelsShowNoMore) {
  auto shows_no_more = [](const Outcome &strong, const Outcome &weak) {
    for (const auto &[state, count] : strong.states) {
      auto at = weak.states.find(state);
      if (at == weak.states.end() || at->second < count)
        return false;
    }
    return true;
  };
  for (int i = 0; i < 2000; i++) {
    Program program = Generator(i).Make(4 + i % 3);
    Outcome outcome[std::size(kSettings)];
    for (size_t s = 0; s < std::size(kSettings); s++) {
      AxiomaticOptions options;
      options.model = kSettings[s].model;
      options.release_sequence = kSettings[s].release_sequence;
      outcome[s] = RunAxiomatic(program, options);
    }
    for (size_t s = 0; s < 8; s++)
      EXPECT_TRUE(shows_no_more(outcome[8], outcome[s])) << kSettings[s].name << ", program " << i;
    for (size_t s = 0; s < 8; s += 2)
      EXPECT_TRUE(shows_no_more(outcome[s + 1], outcome[s])) << "program " << i;
    EXPECT_TRUE(shows_no_more(outcome[2], outcome[0])) << "program " << i;
    EXPECT_TRUE(shows_no_more(outcome[3], outcome[1])) << "program " << i;
    for (size_t s : {2, 4}) {
      EXPECT_TRUE(shows_no_more(outcome[6], outcome[s])) << "program " << i;
      EXPECT_TRUE(shows_no_more(outcome[7], outcome[s + 1])) << "program " << i;
    }
    EXPECT_EQ(Describe(outcome[8]), Describe(outcome[9])) << "program " << i;
  }
}

// What is drawn is an execution that the axioms allow.
TEST(AxiomaticRandom, ExecutionsAreWellFormed) {
  for (int i = 0; i < 500; i++) {
    Program program = Generator(i).Make(5);
    for (const Setting &setting : kSettings) {
      AxiomaticOptions options;
      options.model = setting.model;
      options.release_sequence = setting.release_sequence;
      Outcome outcome;
      bool complete = ForEachConsistent(program, options, [&](const Execution &execution) {
        outcome.states[execution.state]++;
        outcome.executions++;
        int size = execution.events.size();
        int sc_events = 0, sc_pairs = 0;
        for (int a = 0; a < size; a++) {
          const Execution::Event &event = execution.events[a];
          int sources = 0;
          for (int b = 0; b < size; b++) {
            sources += execution.rf.Has(b, a);
            sc_pairs += execution.sc.Has(a, b);
            EXPECT_TRUE(!execution.sb.Has(a, b) || execution.hb.Has(a, b));
            EXPECT_TRUE(!execution.asw.Has(a, b) || execution.hb.Has(a, b));
            EXPECT_TRUE(!execution.sw.Has(a, b) || execution.hb.Has(a, b));
            EXPECT_TRUE(!execution.sc.Has(a, b) || !execution.sc.Has(b, a));
            if (a != b && event.Writes() && execution.events[b].Writes() &&
                event.location == execution.events[b].location)
              EXPECT_NE(execution.mo.Has(a, b), execution.mo.Has(b, a));
            if (execution.rf.Has(a, b))
              EXPECT_EQ(event.written_value, execution.events[b].read_value);
          }
          EXPECT_EQ(sources, event.Reads());
          EXPECT_FALSE(execution.hb.Has(a, a));
          sc_events += event.thread >= 0 && event.order == Order::kSeqCst;
        }
        if (setting.model == AxiomaticModel::kSc)
          sc_events = 0;
        EXPECT_EQ(sc_pairs, sc_events * (sc_events - 1) / 2);
        return true;
      });
      EXPECT_TRUE(complete);
      ASSERT_EQ(Describe(outcome), Describe(RunAxiomatic(program, options)));
    }
  }
}

// In microseconds, and without what other processes take.
double ProcessorTime() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

// Not a test: prints what a program costs. Build it optimized, and run it with
// --gtest_also_run_disabled_tests --gtest_filter=*Timing.
TEST(AxiomaticRandom, DISABLED_Timing) {
  const int programs = FromEnvironment("HEDDLE_AXIOMATIC_PROGRAMS", 1000);
  for (int events : {4, 5, 6, 7, 8}) {
    for (const Setting &setting : kSettings) {
      AxiomaticOptions options;
      options.model = setting.model;
      options.release_sequence = setting.release_sequence;
      std::vector<double> times;
      uint64_t executions = 0;
      for (int i = 0; i < programs; i++) {
        Program program = Generator(i).Make(events);
        double start = ProcessorTime();
        executions += RunAxiomatic(program, options).executions;
        times.push_back(ProcessorTime() - start);
      }
      std::sort(times.begin(), times.end());
      double sum = 0;
      for (double time : times)
        sum += time;
      printf("%d events, %-36s mean %8.1f us, median %7.1f, 99%% %8.1f, most %9.1f; "
             "%.0f executions\n",
             events, setting.name, sum / programs, times[programs / 2], times[programs * 99 / 100],
             times.back(), double(executions) / programs);
    }
  }
}

} // namespace
