// The synthesis, against a search that shares nothing with it but the axioms: all
// programs of the generator, all their executions, all relaxations.

#include "heddle/litmus/generator.h"
#include "heddle/litmus/synth.h"
#include "heddle/litmus/synth_families.h"
#include "heddle/litmus/synth_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace {
using namespace heddle::litmus;
using Kind = WholeExecution::Kind;

// Whether any execution of a straight-line program is minimal, tried one by one.
class Naive {
public:
  Naive(const Program &program, const C11Axioms &axioms) : axioms_(axioms) {
    for (size_t t = 0; t < program.threads.size(); t++)
      for (const Statement &s : program.threads[t].body) {
        int e = x_.size++;
        x_.kind[e] = s.kind == Statement::Kind::kLoad    ? Kind::kRead
                     : s.kind == Statement::Kind::kStore ? Kind::kWrite
                     : s.kind == Statement::Kind::kFence ? Kind::kFence
                                                         : Kind::kRmw;
        x_.thread[e] = static_cast<int>(t);
        x_.location[e] = x_.kind[e] == Kind::kFence ? -1 : s.location;
        x_.order[e] = s.order;
      }
    for (int a = 0; a < x_.size; a++)
      for (int b = a + 1; b < x_.size; b++)
        if (x_.thread[a] == x_.thread[b])
          x_.sb[a] |= 1u << b;
  }

  bool HasMinimal() { return Order(0); }

private:
  // An order of all events, and of it what concerns each location.
  bool Order(int) {
    std::vector<int> events;
    for (int e = 0; e < x_.size; e++)
      if (x_.Writes(e))
        events.push_back(e);
    do {
      for (size_t i = 0; i < events.size(); i++) {
        x_.mo[events[i]] = 0;
        for (size_t j = i + 1; j < events.size(); j++)
          if (x_.location[events[i]] == x_.location[events[j]])
            x_.mo[events[i]] |= 1u << events[j];
      }
      if (Rf(0))
        return true;
    } while (std::next_permutation(events.begin(), events.end()));
    return false;
  }
  bool Rf(int read) {
    while (read < x_.size && !x_.Reads(read))
      x_.rf[read++] = WholeExecution::kInitial;
    if (read == x_.size) {
      x_.SetFr();
      return IsMinimal();
    }
    for (int w = -1; w < x_.size; w++)
      if (w < 0 || (w != read && x_.Writes(w) && x_.location[w] == x_.location[read])) {
        x_.rf[read] = w;
        if (Rf(read + 1))
          return true;
      }
    return false;
  }
  bool IsMinimal() {
    if (IsAllowed(x_, axioms_))
      return false;
    for (int e = 0; e < x_.size; e++) {
      if (!IsAllowed(x_.Without(e), axioms_))
        return false;
      for (heddle::litmus::Order weaker : Weaker(e)) {
        WholeExecution weakened = x_;
        weakened.order[e] = weaker;
        if (!IsAllowed(weakened, axioms_))
          return false;
      }
    }
    return true;
  }
  std::vector<heddle::litmus::Order> Weaker(int e) {
    using O = heddle::litmus::Order;
    bool both = x_.kind[e] == Kind::kRmw || x_.kind[e] == Kind::kFence;
    switch (x_.order[e]) {
    case O::kSeqCst:
      return {both ? O::kAcqRel : x_.kind[e] == Kind::kRead ? O::kAcquire : O::kRelease};
    case O::kAcqRel:
      return {O::kAcquire, O::kRelease};
    case O::kAcquire:
    case O::kRelease:
      return {O::kRelaxed};
    default:
      return {};
    }
  }

  const C11Axioms axioms_;
  WholeExecution x_;
};

int Exchanges(const Program &program) {
  int count = 0;
  for (const Thread &thread : program.threads)
    for (const Statement &s : thread.body)
      count += s.kind == Statement::Kind::kRmw;
  return count;
}

std::map<int, int> CountNaively(int max_events, const C11Axioms &axioms) {
  GeneratorParameters parameters = LoadsStoresExchangesAndFences();
  parameters.max_threads = max_events;
  parameters.max_events = parameters.max_events_per_thread = max_events;
  Generator generator(parameters);
  std::map<int, int> counts;
  for (Program program; generator.Next(&program);) {
    int size = 0;
    for (const Thread &thread : program.threads)
      size += static_cast<int>(thread.body.size());
    if (Exchanges(program) <= 1 && Naive(program, axioms).HasMinimal())
      counts[size]++;
  }
  return counts;
}

SynthOptions Options(int events, C11Model model = C11Model::kCxx20,
                     ReleaseSequence sequence = ReleaseSequence::kCxx20) {
  SynthOptions options;
  options.max_events = events;
  options.axioms.model = model;
  options.axioms.release_sequence = sequence;
  return options;
}

std::map<int, int> Count(const SynthOptions &options) {
  std::map<int, int> counts;
  for (const SynthesisedTest &test : Synthesise(options))
    counts[test.Size()]++;
  return counts;
}

TEST(LitmusSynth, FindsWhatTheNaiveSearchFinds) {
  for (C11Model model :
       {C11Model::kCxx20, C11Model::kC11, C11Model::kPartialSc, C11Model::kLitmustestgen})
    for (ReleaseSequence sequence : {ReleaseSequence::kCxx20, ReleaseSequence::kCxx11}) {
      SynthOptions options = Options(3, model, sequence);
      EXPECT_EQ(Count(options), CountNaively(3, options.axioms));
    }
  EXPECT_EQ(Count(Options(4)), CountNaively(4, Options(4).axioms));
}

TEST(LitmusSynth, EveryTestIsForbiddenAndMinimal) {
  for (C11Model model : {C11Model::kCxx20, C11Model::kC11, C11Model::kPartialSc}) {
    SynthOptions options = Options(4, model);
    for (const SynthesisedTest &test : Synthesise(options))
      EXPECT_EQ(CheckSynthesised(test, options), "");
  }
}

TEST(LitmusSynth, NoMoreThanC11Forbids) {
  std::set<std::string> names;
  for (const SynthesisedTest &test : Synthesise(Options(4)))
    names.insert(test.name);
  EXPECT_TRUE(names.count("Rx.rlx-Wy.rel+Ry.acq-Wx.rlx"));
  // Load buffering with relaxed accesses is allowed.
  EXPECT_FALSE(names.count("Rx.rlx-Wy.rlx+Ry.rlx-Wx.rlx"));
  // A release sequence of C++11, which C++20 has not.
  auto has_release_sequence = [](ReleaseSequence sequence) {
    for (const SynthesisedTest &test : Synthesise(Options(5, C11Model::kCxx20, sequence)))
      if (test.name == "Wx.rlx-Wy.rel-Wy.rlx+Ry.acq-Rx.rlx")
        return true;
    return false;
  };
  EXPECT_TRUE(has_release_sequence(ReleaseSequence::kCxx11));
  EXPECT_FALSE(has_release_sequence(ReleaseSequence::kCxx20));
}

TEST(LitmusSynth, CountsOfTheStandards) {
  EXPECT_EQ(Count(Options(5)), (std::map<int, int>{{2, 1}, {3, 5}, {4, 20}, {5, 92}}));
  EXPECT_EQ(Count(Options(5, C11Model::kPartialSc, ReleaseSequence::kCxx11)),
            (std::map<int, int>{{2, 1}, {3, 5}, {4, 20}, {5, 93}}));
}

// docs/synthesis.md, "Beside the thesis".
TEST(LitmusSynth, CountsOfLitmustestgen) {
  SynthOptions options = Options(5, C11Model::kLitmustestgen, ReleaseSequence::kCxx11);
  options.min_locations = 2;
  std::set<std::string> names;
  std::map<int, int> counts;
  for (const SynthesisedTest &test : Synthesise(options)) {
    names.insert(test.name);
    counts[test.Size()]++;
    EXPECT_FALSE(HasTiedThreads(test)) << test.name;
  }
  EXPECT_EQ(counts, (std::map<int, int>{{4, 20}, {5, 125}}));
  EXPECT_FALSE(names.count("Wx.rlx-Wy.rel+Ry.acq-Rx.rlx"));
  EXPECT_TRUE(names.count("Wx.sc-Wy.rel+Ry.acq-Rx.sc"));
  EXPECT_TRUE(names.count("Wx.rlx-Wy.rel+Ry.acq-Rx.rlx+Wx.rlx"));
}

TEST(LitmusSynth, TiedThreads) {
  SynthOptions options = Options(6, C11Model::kLitmustestgen, ReleaseSequence::kCxx11);
  options.min_events = 6;
  options.max_rmws = 0;
  options.fences = false;
  std::vector<std::string> families;
  for (const SynthesisedTest &test : Synthesise(options))
    if (HasTiedThreads(test))
      families.push_back(test.family);
  EXPECT_EQ(families, (std::vector<std::string>{"3.2W", "Z6.5", "Z6.4", "3.SB", "", "IRWIW",
                                                "IRRWIW", "IRIW"}));
}

TEST(LitmusSynth, DoesNotDependOnJobs) {
  SynthOptions options = Options(4);
  std::vector<SynthesisedTest> one = Synthesise(options);
  options.jobs = 3;
  std::vector<SynthesisedTest> three = Synthesise(options);
  ASSERT_EQ(one.size(), three.size());
  std::set<std::string> names;
  for (size_t i = 0; i < one.size(); i++) {
    EXPECT_EQ(one[i].name, three[i].name);
    EXPECT_TRUE(names.insert(one[i].name).second) << one[i].name;
  }
}

TEST(LitmusSynth, Restrictions) {
  SynthOptions options = Options(5);
  options.fences = false;
  options.max_rmws = 0;
  for (const SynthesisedTest &test : Synthesise(options)) {
    EXPECT_EQ(test.Rmws(), 0);
    EXPECT_EQ(test.name.find('F'), std::string::npos);
  }
  // One thread: the coherence of a thread with itself.
  options = Options(2);
  options.min_threads = 1;
  std::vector<std::string> names;
  for (const SynthesisedTest &test : Synthesise(options))
    if (test.threads.size() == 1)
      names.push_back(test.name);
  EXPECT_EQ(names, (std::vector<std::string>{"Wx.rlx-Wx.rlx", "Wx.rlx-Rx.rlx", "Wx.rlx-Ux.rlx",
                                             "Rx.rlx-Wx.rlx", "Rx.rlx-Ux.rlx", "Ux.rlx-Wx.rlx",
                                             "Ux.rlx-Rx.rlx"}));
}

TEST(LitmusSynth, SplittingLeavesRmwsThatMustBeAtomic) {
  SynthOptions options = Options(4);
  options.split_rmws = true;
  std::vector<std::string> rmws;
  for (const SynthesisedTest &test : Synthesise(options))
    if (test.Rmws())
      rmws.push_back(test.name);
  EXPECT_EQ(rmws, std::vector<std::string>{"Wx.rlx+Ux.rlx"});
}

} // namespace
