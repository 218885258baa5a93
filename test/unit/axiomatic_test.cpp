// The axiomatic models on the classic shapes, whose verdicts are known. The
// arguments are given where the models disagree. axiomatic_random_test.cpp has
// the programs that nobody has thought about.

#include "heddle/litmus/axiomatic.h"
#include "litmus_builders.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <stdexcept>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::build;

constexpr auto kCxx20 = ReleaseSequence::kCxx20;
constexpr auto kCxx11 = ReleaseSequence::kCxx11;

constexpr const char *kEverywhere = "c11tester tsan11 c++20 sc ";
constexpr const char *kAllButSc = "c11tester tsan11 c++20 ";
constexpr const char *kNowhere = "";

struct Model {
  const char *name;
  AxiomaticModel model;
};
const Model kModels[] = {
    {"c11tester", AxiomaticModel::kC11Tester},
    {"tsan11", AxiomaticModel::kTsan11},
    {"c++20", AxiomaticModel::kCxx20},
    {"sc", AxiomaticModel::kSc},
};

Outcome RunModel(const Program &program, AxiomaticModel model, ReleaseSequence release_sequence) {
  AxiomaticOptions options;
  options.model = model;
  options.release_sequence = release_sequence;
  return RunAxiomatic(program, options);
}

// The names of the models that allow a state.
std::string AllowedBy(const Program &program, const State &state,
                      ReleaseSequence release_sequence) {
  EXPECT_EQ(state.size(), program.observed.size());
  std::string names;
  for (const Model &model : kModels)
    if (RunModel(program, model.model, release_sequence).states.count(state))
      names += std::string(model.name) + " ";
  return names;
}

// For programs where the kind of release sequence does not matter.
std::string AllowedBy(const Program &program, const State &state) {
  std::string names = AllowedBy(program, state, kCxx20);
  EXPECT_EQ(names, AllowedBy(program, state, kCxx11));
  return names;
}

std::set<State> States(const Program &program, AxiomaticModel model = AxiomaticModel::kC11Tester) {
  std::set<State> states;
  for (const auto &[state, count] : RunModel(program, model, kCxx20).states)
    states.insert(state);
  return states;
}

// A thread's two accesses with a fence between them, or none.
Body With(std::optional<Order> fence, Statement first, Statement second) {
  if (fence)
    return {first, Fence(*fence), second};
  return {first, second};
}
constexpr std::nullopt_t kNoFence = std::nullopt;

// Store buffering.

Program Sb(Order store, Order load, std::optional<Order> fence) {
  return MakeProgram({With(fence, Store(kX, 1, store), Load(0, kY, load)),
                      With(fence, Store(kY, 1, store), Load(0, kX, load))});
}

TEST(Axiomatic, SbRelaxed) {
  Program program = Sb(kRlx, kRlx, kNoFence);
  EXPECT_EQ(States(program), (std::set<State>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(AllowedBy(program, {0, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(program, {1, 1}), kEverywhere);
  EXPECT_EQ(AllowedBy(Sb(kRel, kAcq, kNoFence), {0, 0}), kAllButSc);
}

TEST(Axiomatic, SbSeqCst) {
  Program program = Sb(kSc, kSc, kNoFence);
  for (const Model &model : kModels)
    EXPECT_EQ(States(program, model.model), (std::set<State>{{0, 1}, {1, 0}, {1, 1}}));
}

TEST(Axiomatic, SbFences) {
  Program program = Sb(kRlx, kRlx, kSc);
  for (const Model &model : kModels)
    EXPECT_EQ(States(program, model.model), (std::set<State>{{0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(AllowedBy(Sb(kRlx, kRlx, kAcqRel), {0, 0}), kAllButSc);
}

// One side with a fence, the other with seq_cst accesses: p4 and p5.
TEST(Axiomatic, SbFenceAndSeqCst) {
  Program program = MakeProgram({With(kSc, Store(kX, 1, kRlx), Load(0, kY, kRlx)),
                                 With(kNoFence, Store(kY, 1, kSc), Load(0, kX, kSc))});
  EXPECT_EQ(AllowedBy(program, {0, 0}), kNowhere);
}

// Message passing.

Program Mp(Order store, Order load, std::optional<Order> release_fence,
           std::optional<Order> acquire_fence) {
  return MakeProgram({With(release_fence, Store(kX, 1, kRlx), Store(kY, 1, store)),
                      With(acquire_fence, Load(0, kY, load), Load(1, kX, kRlx))});
}

TEST(Axiomatic, MpRelaxed) {
  Program program = Mp(kRlx, kRlx, kNoFence, kNoFence);
  EXPECT_EQ(States(program).size(), 4u);
  EXPECT_EQ(AllowedBy(program, {1, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(Mp(kRel, kRlx, kNoFence, kNoFence), {1, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(Mp(kRlx, kAcq, kNoFence, kNoFence), {1, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(Mp(kRlx, kRlx, kRel, kNoFence), {1, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(Mp(kRlx, kRlx, kNoFence, kAcq), {1, 0}), kAllButSc);
  // The wrong fences.
  EXPECT_EQ(AllowedBy(Mp(kRlx, kAcq, kAcq, kNoFence), {1, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(Mp(kRel, kRlx, kNoFence, kRel), {1, 0}), kAllButSc);
}

TEST(Axiomatic, MpSynchronizes) {
  const Program programs[] = {
      Mp(kRel, kAcq, kNoFence, kNoFence), Mp(kRel, Order::kConsume, kNoFence, kNoFence),
      Mp(kSc, kSc, kNoFence, kNoFence),   Mp(kRlx, kAcq, kRel, kNoFence),
      Mp(kRel, kRlx, kNoFence, kAcq),     Mp(kRlx, kRlx, kRel, kAcq),
      Mp(kRlx, kRlx, kAcqRel, kAcqRel),   Mp(kRlx, kRlx, kSc, kSc),
  };
  for (const Program &program : programs)
    for (const Model &model : kModels)
      EXPECT_EQ(States(program, model.model), (std::set<State>{{0, 0}, {0, 1}, {1, 1}}));
}

// Load buffering: all our models exclude cycles of sb and rf.

TEST(Axiomatic, Lb) {
  Program program = MakeProgram(
      {{Load(0, kX, kRlx), Store(kY, 1, kRlx)}, {Load(0, kY, kRlx), Store(kX, 1, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {1, 1}), kNowhere);
  EXPECT_EQ(AllowedBy(program, {0, 1}), kEverywhere);
  EXPECT_EQ(AllowedBy(program, {0, 0}), kEverywhere);
}

TEST(Axiomatic, NoValueOutOfThinAir) {
  Program program = MakeProgram({{Load(0, kX, kRlx), Store(kY, Register(0), kRlx)},
                                 {Load(0, kY, kRlx), Store(kX, Register(0), kRlx)}});
  for (const Model &model : kModels)
    EXPECT_EQ(States(program, model.model), (std::set<State>{{0, 0}}));
}

// Independent reads of independent writes.

Program Iriw(Order store, Order load, std::optional<Order> fence) {
  return MakeProgram({{Store(kX, 1, store)},
                      {Store(kY, 1, store)},
                      With(fence, Load(0, kX, load), Load(1, kY, load)),
                      With(fence, Load(0, kY, load), Load(1, kX, load))});
}

TEST(Axiomatic, Iriw) {
  State state{1, 0, 1, 0};
  EXPECT_EQ(AllowedBy(Iriw(kRlx, kRlx, kNoFence), state), kAllButSc);
  EXPECT_EQ(AllowedBy(Iriw(kRel, kAcq, kNoFence), state), kAllButSc);
  EXPECT_EQ(AllowedBy(Iriw(kSc, kSc, kNoFence), state), kNowhere);
  // Fences between the reads and relaxed writes. The writes are in no sc, so
  // nothing in C++11 says that a fence after the read of 1 has it before another
  // fence. C++20: F hb r(y)=0, which is coherence-ordered before the read of 1,
  // which happens before G: F precedes G, and the same the other way round.
  EXPECT_EQ(AllowedBy(Iriw(kRlx, kRlx, kSc), state), "c11tester tsan11 ");
  // With seq_cst writes C++11 forbids it too: w(x) rf r(x)=1 sb F puts w(x) before
  // F in sc, and p4 F before w(y), as r(y)=0 follows F. And the other way round.
  EXPECT_EQ(AllowedBy(Iriw(kSc, kRlx, kSc), state), kNowhere);
}

// 2+2W: each thread's first write comes last.

Program TwoPlusTwoW(Order store, std::optional<Order> fence) {
  return MakeProgram({With(fence, Store(kX, 1, store), Store(kY, 2, store)),
                      With(fence, Store(kY, 1, store), Store(kX, 2, store))},
                     true);
}

TEST(Axiomatic, TwoPlusTwoW) {
  // tsan11: x=1 sb y=2 mo y=1 sb x=2 mo x=1 is a cycle.
  EXPECT_EQ(AllowedBy(TwoPlusTwoW(kRlx, kNoFence), {1, 1}), "c11tester c++20 ");
  EXPECT_EQ(AllowedBy(TwoPlusTwoW(kRel, kNoFence), {1, 1}), "c11tester c++20 ");
  EXPECT_EQ(AllowedBy(TwoPlusTwoW(kSc, kNoFence), {1, 1}), kNowhere);
  // p7.
  EXPECT_EQ(AllowedBy(TwoPlusTwoW(kRlx, kSc), {1, 1}), kNowhere);
  EXPECT_EQ(AllowedBy(TwoPlusTwoW(kRlx, kNoFence), {2, 2}), kEverywhere);
}

// LWG 2130: p7 for a fence on one side and seq_cst writes on the other.
TEST(Axiomatic, TwoPlusTwoWFenceAndSeqCst) {
  Program program = MakeProgram({{Store(kX, 1, kRlx), Fence(kSc), Store(kY, 2, kRlx)},
                                 {Store(kY, 1, kSc), Store(kX, 2, kSc)}},
                                true);
  EXPECT_EQ(AllowedBy(program, {1, 1}), kNowhere);
}

// Coherence.

TEST(Axiomatic, Coherence) {
  // CoRR: two reads do not see two writes in different orders.
  Program corr = MakeProgram({{Store(kX, 1, kRlx)}, {Load(0, kX, kRlx), Load(1, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(corr, {1, 0}), kNowhere);
  EXPECT_EQ(AllowedBy(corr, {0, 1}), kEverywhere);
  Program corr2 = MakeProgram({{Store(kX, 1, kRlx)},
                               {Store(kX, 2, kRlx)},
                               {Load(0, kX, kRlx), Load(1, kX, kRlx)},
                               {Load(0, kX, kRlx), Load(1, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(corr2, {1, 2, 2, 1}), kNowhere);
  EXPECT_EQ(AllowedBy(corr2, {1, 2, 1, 2}), kEverywhere);
  // CoWW.
  Program coww = MakeProgram({{Store(kX, 1, kRlx), Store(kX, 2, kRlx)}}, true);
  EXPECT_EQ(AllowedBy(coww, {1}), kNowhere);
  EXPECT_EQ(AllowedBy(coww, {2}), kEverywhere);
  // CoWR: a read after one's own write does not see what that overwrote.
  Program cowr = MakeProgram({{Store(kX, 1, kRlx), Load(0, kX, kRlx)}, {Store(kX, 2, kRlx)}}, true);
  EXPECT_EQ(AllowedBy(cowr, {0, 1}), kNowhere);
  EXPECT_EQ(AllowedBy(cowr, {2, 1}), kNowhere);
  EXPECT_EQ(AllowedBy(cowr, {2, 2}), kEverywhere);
  // CoRW: what was read comes before one's own later write. And the other way
  // round, no read from one's own later write.
  Program corw = MakeProgram({{Load(0, kX, kRlx), Store(kX, 1, kRlx)}, {Store(kX, 2, kRlx)}}, true);
  EXPECT_EQ(AllowedBy(corw, {2, 2}), kNowhere);
  EXPECT_EQ(AllowedBy(corw, {1, 1}), kNowhere);
  EXPECT_EQ(AllowedBy(corw, {0, 2}), kEverywhere);
}

// Causality.

TEST(Axiomatic, Wrc) {
  auto wrc = [](Order store, Order load) {
    return MakeProgram({{Store(kX, 1, store)},
                        {Load(0, kX, load), Store(kY, 1, store)},
                        {Load(0, kY, load), Load(1, kX, kRlx)}});
  };
  EXPECT_EQ(AllowedBy(wrc(kRlx, kRlx), {1, 1, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(wrc(kRel, kAcq), {1, 1, 0}), kNowhere);
}

TEST(Axiomatic, Isa2) {
  auto isa2 = [](Order store, Order load) {
    return MakeProgram({{Store(kX, 1, kRlx), Store(kY, 1, store)},
                        {Load(0, kY, load), Store(kZ, 1, store)},
                        {Load(0, kZ, load), Load(1, kX, kRlx)}});
  };
  EXPECT_EQ(AllowedBy(isa2(kRlx, kRlx), {1, 1, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(isa2(kRel, kAcq), {1, 1, 0}), kNowhere);
}

TEST(Axiomatic, R) {
  auto r = [](std::optional<Order> fence) {
    return MakeProgram({With(fence, Store(kX, 1, kRlx), Store(kY, 1, kRlx)),
                        With(fence, Store(kY, 2, kRlx), Load(0, kX, kRlx))},
                       true);
  };
  EXPECT_EQ(AllowedBy(r(kNoFence), {0, 1, 2}), kAllButSc);
  EXPECT_EQ(AllowedBy(r(kAcqRel), {0, 1, 2}), kAllButSc);
  // y=1 mo y=2: by p7, the second fence is not before the first. And then by p6
  // the read sees x=1.
  EXPECT_EQ(AllowedBy(r(kSc), {0, 1, 2}), kNowhere);
}

TEST(Axiomatic, S) {
  auto s = [](Order store, Order load, std::optional<Order> fence) {
    return MakeProgram({With(fence, Store(kX, 2, kRlx), Store(kY, 1, store)),
                        With(fence, Load(0, kY, load), Store(kX, 1, kRlx))},
                       true);
  };
  // tsan11: x=2 sb y=1 rf r sb x=1 mo x=2 is a cycle.
  EXPECT_EQ(AllowedBy(s(kRlx, kRlx, kNoFence), {1, 2, 1}), "c11tester c++20 ");
  EXPECT_EQ(AllowedBy(s(kRel, kAcq, kNoFence), {1, 2, 1}), kNowhere);
  EXPECT_EQ(AllowedBy(s(kRlx, kRlx, kSc), {1, 2, 1}), kNowhere);
}

// Where C++11 and C++20 order seq_cst differently. P0668 has made fences stronger
// and hb weaker in sc.

// RWC with fences, from P0668 and "Repairing sequential consistency in C/C++11"
// (Lahav et al., PLDI 2017). p6 gives F before G from the read of y=0. That x=0
// is read after G, while x=1 was read before F, is nothing to C++11, as the write
// of x has no fence after it in its own thread. C++20: the read of x=0 is
// coherence-ordered before x=1, that before the read of x=1, so G precedes F.
TEST(Axiomatic, RwcFences) {
  auto rwc = [](Order store, std::optional<Order> fence) {
    return MakeProgram({{Store(kX, 1, store)},
                        With(fence, Load(0, kX, kAcq), Load(1, kY, kRlx)),
                        With(fence, Store(kY, 1, kRlx), Load(0, kX, kRlx))});
  };
  EXPECT_EQ(AllowedBy(rwc(kRel, kNoFence), {1, 0, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(rwc(kRlx, kSc), {1, 0, 0}), "c11tester tsan11 ");
  EXPECT_EQ(AllowedBy(rwc(kRel, kSc), {1, 0, 0}), "c11tester tsan11 ");
  // p4, once the write is in sc: it is before F, being read before it, and after
  // G, being not read after it.
  EXPECT_EQ(AllowedBy(rwc(kSc, kSc), {1, 0, 0}), kNowhere);
}

// Z6.U of P0668. C++11: x=1 happens before the fetch_add, which synchronizes with
// y=1, so it is before it in sc. The fetch_add is before y=3 in mo, so in sc. y=3
// is sequenced before the read of x, which reads 0 and so is before x=1: a cycle.
// C++20: x=1 does not strongly happen before the fetch_add. y=1 is not seq_cst,
// and nothing that is sequenced after the fetch_add is seq_cst. The mapping to
// Power with trailing fences needs this.
TEST(Axiomatic, Z6U) {
  auto z6u = [](Order y_store) {
    return MakeProgram({{Store(kX, 1, kSc), Store(kY, 1, y_store)},
                        {FetchAdd(0, kY, 1, kSc), Load(1, kY, kRlx)},
                        {Store(kY, 3, kSc), Load(0, kX, kSc)}});
  };
  EXPECT_EQ(AllowedBy(z6u(kRel), {1, 3, 0}), "c++20 ");
  // With y=1 seq_cst, C++20 orders it before the fetch_add and x=1 before it.
  EXPECT_EQ(AllowedBy(z6u(kSc), {1, 3, 0}), kNowhere);
  // With y=1 relaxed, there is no hb from x=1 to the fetch_add. But the axiom of
  // C11Tester and tsan11 has rf instead.
  EXPECT_EQ(AllowedBy(z6u(kRlx), {1, 3, 0}), "c++20 ");
}

// A seq_cst event sequenced after the acquire makes Z6.U's x=1 strongly happen
// before it (sb, hb, sb), and C++20 agrees with C++11.
TEST(Axiomatic, Z6UWithStrongHappensBefore) {
  Program program = MakeProgram({{Store(kX, 1, kSc), Store(kY, 1, kRel)},
                                 {Load(0, kY, kAcq), Store(kZ, 1, kSc)},
                                 {Store(kZ, 2, kSc), Load(0, kX, kSc)}},
                                true);
  EXPECT_EQ(AllowedBy(program, {1, 0, 1, 1, 2}), kNowhere);
  EXPECT_EQ(AllowedBy(program, {1, 0, 1, 1, 1}), kEverywhere);
}

// C++11 speaks of fences of the same thread, C++20 of fences that happen before or
// after. The fence F happens before the read of x=0, so in C++20 it is before x=1 in
// sc. That is before the read of z=0, z=1, and F: a cycle. In C++11, p4 is silent, as
// F is not in the thread that reads.
TEST(Axiomatic, FenceHappensBeforeTheRead) {
  Program program = MakeProgram({{Store(kX, 1, kSc), Load(0, kZ, kSc)},
                                 {Store(kZ, 1, kSc), Fence(kSc), Store(kY, 1, kRel)},
                                 {Load(0, kY, kAcq), Load(1, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {0, 1, 0}), "c11tester tsan11 ");
}

// RwcFences with the fence F one synchronization further.
TEST(Axiomatic, FenceHappensAfterTheRead) {
  Program program = MakeProgram({{Store(kX, 1, kRlx)},
                                 {Load(0, kX, kRlx), Store(kZ, 1, kRel)},
                                 {Load(0, kZ, kAcq), Fence(kSc), Load(1, kY, kRlx)},
                                 {Store(kY, 1, kRlx), Fence(kSc), Load(0, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {1, 1, 0, 0}), "c11tester tsan11 ");
}

// C++20 orders fences by a relaxed rf between them, even if they are some way from
// it: F happens before z=1, which is read before G. And G is before F, because the
// read of x=0 after it missed x=1 before F. The axiom with rf excludes it as well.
TEST(Axiomatic, FencesAroundRelaxedRf) {
  Program program = MakeProgram({{Store(kX, 1, kRlx), Fence(kSc), Store(kY, 1, kRel)},
                                 {Load(0, kY, kAcq), Store(kZ, 1, kRlx)},
                                 {Load(0, kZ, kRlx), Fence(kSc), Load(1, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {1, 1, 0}), kNowhere);
}

// C++11 lets a seq_cst read ignore the last seq_cst write for one that is not
// seq_cst and does not happen before it, even if that comes earlier in mo. Here
// sc must be x=2, read of y, y=1, read of x. C++20 has the read of x=1 coherence-
// ordered before x=2, both are seq_cst, and that is a cycle.
TEST(Axiomatic, SeqCstReadOfAnOlderRelaxedWrite) {
  Program program = MakeProgram({{Store(kX, 1, kRlx)},
                                 {Store(kX, 2, kSc), Load(0, kY, kSc)},
                                 {Store(kY, 1, kSc), Load(0, kX, kSc)}},
                                true);
  EXPECT_EQ(AllowedBy(program, {0, 1, 2, 1}), "c11tester tsan11 ");
  // From x=0, which happens before x=2, it is forbidden.
  EXPECT_EQ(AllowedBy(program, {0, 0, 2, 1}), kNowhere);
  EXPECT_EQ(AllowedBy(program, {0, 0, 1, 1}), kNowhere);
}

// The same rule asks about the last seq_cst write only. x=1 happens before x=2, so
// the read of x=1 must not have x=2 as the last write before it. sc has x=2, read
// of z, z=1, read of x as in store buffering, so x=3 must be in between, and as
// x=1 does not happen before x=3, all is well. Without it the read is forbidden.
TEST(Axiomatic, SeqCstReadBehindAnotherWrite) {
  Body writer{Store(kX, 1, kRlx), Store(kX, 2, kSc), Load(0, kY, kSc)};
  Body reader{Store(kY, 1, kSc), Load(0, kX, kSc)};
  Program two = MakeProgram({writer, reader}, true);
  EXPECT_EQ(AllowedBy(two, {0, 1, 2, 1}), kNowhere);
  Program three = MakeProgram({writer, reader, {Store(kX, 3, kSc)}}, true);
  EXPECT_EQ(AllowedBy(three, {0, 1, 3, 1}), "c11tester tsan11 ");
  EXPECT_EQ(AllowedBy(three, {0, 1, 2, 1}), kNowhere);
}

// acyclic(hb | sc | rf) has rf, C++20 has not: sb and relaxed rf lead from z=1 to
// the read of w, that sc must then have in this order. The read of w=0 is before
// w=1, which is before the read of z=0, and that is before z=1. C++20 sees no hb
// from z=1 to the read of w.
TEST(Axiomatic, RelaxedRfBetweenSeqCst) {
  constexpr int kW = 3;
  Program program = MakeProgram({{Store(kZ, 1, kSc), Store(kX, 1, kRlx)},
                                 {Load(0, kX, kRlx), Load(1, kW, kSc)},
                                 {Store(kW, 1, kSc), Load(0, kZ, kSc)}});
  EXPECT_EQ(AllowedBy(program, {1, 0, 0}), "c++20 ");
}

// Release sequences.

// The same thread overwrites its release store with a relaxed one.
TEST(Axiomatic, ReleaseSequenceSameThread) {
  Program program = MakeProgram({{Store(kX, 1, kRlx), Store(kY, 1, kRel), Store(kY, 2, kRlx)},
                                 {Load(0, kY, kAcq), Load(1, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {2, 0}, kCxx20), kAllButSc);
  EXPECT_EQ(AllowedBy(program, {2, 0}, kCxx11), kNowhere);
  EXPECT_EQ(AllowedBy(program, {1, 0}), kNowhere);
}

// The same with a release fence, and a hypothetical release sequence. Both stores
// follow the fence, so the one that is read is enough.
TEST(Axiomatic, ReleaseSequenceOfFence) {
  Program program =
      MakeProgram({{Store(kX, 1, kRlx), Fence(kRel), Store(kY, 1, kRlx), Store(kY, 2, kRlx)},
                   {Load(0, kY, kRlx), Fence(kAcq), Load(1, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {2, 0}), kNowhere);
}

// Another thread's read-modify-write continues the sequence, its store ends it.
TEST(Axiomatic, ReleaseSequenceOtherThread) {
  auto program = [](Statement other) {
    return MakeProgram({{Store(kX, 1, kRlx), Store(kY, 1, kRel)},
                        {other},
                        {Load(0, kY, kAcq), Load(1, kX, kRlx)}});
  };
  EXPECT_EQ(AllowedBy(program(FetchAdd(-1, kY, 1, kRlx)), {2, 0}), kNowhere);
  EXPECT_EQ(AllowedBy(program(FetchAdd(-1, kY, 1, kRlx)), {2, 1}), kEverywhere);
  EXPECT_EQ(AllowedBy(program(Store(kY, 2, kRlx)), {2, 0}), kEverywhere);
}

// Two read-modify-writes in a row, by two threads.
TEST(Axiomatic, ReleaseSequenceOfTwo) {
  Program program = MakeProgram({{Store(kX, 1, kRlx), Store(kY, 1, kRel)},
                                 {FetchAdd(-1, kY, 1, kRlx)},
                                 {FetchAdd(-1, kY, 1, kRlx)},
                                 {Load(0, kY, kAcq), Load(1, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {3, 0}), kNowhere);
  EXPECT_EQ(AllowedBy(program, {2, 0}, kCxx20), kEverywhere); // two additions before the store
}

// C++11: a relaxed store by the head's thread after another thread's
// read-modify-write, which does not interrupt.
TEST(Axiomatic, ReleaseSequenceAcrossReadModifyWrite) {
  Program program = MakeProgram({{Store(kX, 1, kRlx), Store(kY, 1, kRel), Store(kY, 5, kRlx)},
                                 {FetchAdd(0, kY, 1, kRlx)},
                                 {Load(0, kY, kAcq), Load(1, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {1, 5, 0}, kCxx20), kAllButSc);
  EXPECT_EQ(AllowedBy(program, {1, 5, 0}, kCxx11), kNowhere);
}

// C++11: another thread's store interrupts, even if the head's thread goes on.
TEST(Axiomatic, ReleaseSequenceInterrupted) {
  Program program =
      MakeProgram({{Store(kX, 1, kRlx), Store(kY, 1, kRel), Store(kY, 3, kRlx)},
                   {Store(kY, 2, kRlx)},
                   {Load(0, kY, kRlx), Load(1, kY, kRlx), Load(2, kY, kAcq), Load(3, kX, kRlx)}});
  EXPECT_EQ(AllowedBy(program, {1, 2, 3, 0}, kCxx11), kAllButSc);
  EXPECT_EQ(AllowedBy(program, {2, 1, 3, 0}, kCxx11), kNowhere);
  EXPECT_EQ(AllowedBy(program, {2, 1, 3, 0}, kCxx20), kAllButSc);
}

// Read-modify-writes.

TEST(Axiomatic, NoUpdateIsLost) {
  Program program = MakeProgram({{FetchAdd(0, kX, 1, kRlx)}, {FetchAdd(0, kX, 1, kRlx)}}, true);
  for (const Model &model : kModels)
    EXPECT_EQ(States(program, model.model), (std::set<State>{{0, 1, 2}, {1, 0, 2}}));
  Program three = MakeProgram(
      {{FetchAdd(0, kX, 1, kRlx)}, {FetchAdd(0, kX, 1, kRlx)}, {FetchAdd(0, kX, 1, kRlx)}}, true);
  Outcome outcome = RunModel(three, AxiomaticModel::kC11Tester, kCxx20);
  EXPECT_EQ(outcome.states.size(), 6u);
  EXPECT_EQ(outcome.executions, 6u);
  for (const auto &[state, count] : outcome.states)
    EXPECT_EQ(state.back(), 3);
}

TEST(Axiomatic, NoWriteBetweenReadAndWrite) {
  // The exchange reads 0, so 1 is not between them; it comes before or after.
  Program program = MakeProgram({{Exchange(0, kX, 2, kRlx)}, {Store(kX, 1, kRlx)}}, true);
  for (const Model &model : kModels)
    EXPECT_EQ(States(program, model.model), (std::set<State>{{0, 1}, {1, 2}}));
}

TEST(Axiomatic, Operations) {
  auto result = [](RmwOperation operation, Value operand) {
    Program program = MakeProgram({{Rmw(0, kX, operation, Constant(operand), kRlx)}}, true);
    program.locations[0].initial = 6;
    return States(program);
  };
  using Results = std::set<State>;
  EXPECT_EQ(result(RmwOperation::kExchange, 3), (Results{{6, 3}}));
  EXPECT_EQ(result(RmwOperation::kAdd, 3), (Results{{6, 9}}));
  EXPECT_EQ(result(RmwOperation::kSub, 3), (Results{{6, 3}}));
  EXPECT_EQ(result(RmwOperation::kAnd, 3), (Results{{6, 2}}));
  EXPECT_EQ(result(RmwOperation::kOr, 3), (Results{{6, 7}}));
  EXPECT_EQ(result(RmwOperation::kXor, 3), (Results{{6, 5}}));
}

// Compare-exchange: r0 is expected, r1 whether it was found.

TEST(Axiomatic, CompareExchange) {
  Body cas{CompareExchange(1, kX, 0, Constant(5), kRlx, kRlx)};
  EXPECT_EQ(States(MakeProgram({cas}, true)), (std::set<State>{{0, 1, 5}}));
  Body other{Assign(0, Constant(7)), CompareExchange(1, kX, 0, Constant(5), kRlx, kRlx)};
  EXPECT_EQ(States(MakeProgram({other}, true)), (std::set<State>{{0, 0, 0}}));
  // Only one of two can find 0.
  for (const Model &model : kModels)
    EXPECT_EQ(States(MakeProgram({cas, cas}, true), model.model),
              (std::set<State>{{0, 1, 5, 0, 5}, {5, 0, 0, 1, 5}}));
}

TEST(Axiomatic, WeakCompareExchange) {
  Body cas{CompareExchange(1, kX, 0, Constant(5), kRlx, kRlx, true)};
  EXPECT_EQ(States(MakeProgram({cas}, true)), (std::set<State>{{0, 1, 5}, {0, 0, 0}}));
  EXPECT_EQ(
      States(MakeProgram({cas, cas}, true)),
      (std::set<State>{
          {0, 1, 5, 0, 5}, {5, 0, 0, 1, 5}, {0, 1, 0, 0, 5}, {0, 0, 0, 1, 5}, {0, 0, 0, 0, 0}}));
}

// A failure is a read with the failure order, and releases nothing.
TEST(Axiomatic, CompareExchangeOrders) {
  auto mp = [](Order order, Order failure_order, Value expected) {
    return MakeProgram(
        {{Store(kX, 1, kRlx), Store(kY, 1, kRel)},
         {Assign(0, Constant(expected)),
          CompareExchange(1, kY, 0, Constant(2), order, failure_order), Load(2, kX, kRlx)}});
  };
  EXPECT_EQ(AllowedBy(mp(kAcq, kRlx, 1), {1, 1, 0}), kNowhere);
  EXPECT_EQ(AllowedBy(mp(kRlx, kAcq, 1), {1, 1, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(mp(kAcq, kRlx, 7), {1, 0, 0}), kAllButSc);
  EXPECT_EQ(AllowedBy(mp(kRlx, kAcq, 7), {1, 0, 0}), kNowhere);
}

// "r = compare_exchange(x, &r, ...)": the result is what stays.
TEST(Axiomatic, CompareExchangeIntoExpected) {
  Program program = MakeProgram(
      {{Assign(0, Constant(7)), CompareExchange(0, kX, 0, Constant(5), kRlx, kRlx)}}, true);
  EXPECT_EQ(States(program), (std::set<State>{{0, 0}}));
}

// Control flow.

TEST(Axiomatic, Branches) {
  Program program = MakeProgram(
      {{Store(kX, 1, kRlx)},
       {Load(0, kX, kRlx),
        If(Register(0), {Store(kY, 1, kRlx), Assign(1, Constant(3))},
           {If(Binary(Expression::Kind::kEqual, Register(0), Constant(0)), {Store(kY, 2, kRlx)})}),
        Load(2, kY, kRlx)}},
      true);
  EXPECT_EQ(States(program), (std::set<State>{{1, 3, 1, 1, 1}, {0, 0, 2, 1, 2}}));
}

// Values that are made from values that are made from values.
TEST(Axiomatic, ValuesTravel) {
  auto next = [](int from, int to) {
    return Body{Load(0, from, kRlx),
                Store(to, Binary(Expression::Kind::kAdd, Register(0), Constant(1)), kRlx)};
  };
  Program program = MakeProgram({next(kX, kY), next(kY, kZ), next(kZ, kX)});
  EXPECT_EQ(AllowedBy(program, {0, 1, 2}), kEverywhere);
  EXPECT_EQ(AllowedBy(program, {2, 0, 1}), kEverywhere);
  EXPECT_EQ(AllowedBy(program, {3, 1, 2}), kNowhere);
}

// The interface.

TEST(Axiomatic, CountsExecutions) {
  // Two writes, two orders, and the read sees 0, 1 or 2, each in both.
  Program program = MakeProgram({{Store(kX, 1, kRlx)}, {Store(kX, 2, kRlx)}, {Load(0, kX, kRlx)}});
  Outcome outcome = RunModel(program, AxiomaticModel::kC11Tester, kCxx20);
  EXPECT_EQ(outcome.executions, 6u);
  EXPECT_EQ(outcome.states, (std::map<State, uint64_t>{{{0}, 2}, {{1}, 2}, {{2}, 2}}));
  // The orders of the seq_cst events that explain an execution do not count.
  Program independent = MakeProgram({{Store(kX, 1, kSc)}, {Store(kY, 1, kSc)}});
  EXPECT_EQ(RunModel(independent, AxiomaticModel::kC11Tester, kCxx20).executions, 1u);
}

TEST(Axiomatic, EmptyProgram) {
  Program program = MakeProgram({{}, {}});
  for (const Model &model : kModels)
    EXPECT_EQ(RunModel(program, model.model, kCxx20).executions, 1u);
}

TEST(Axiomatic, CandidateLimit) {
  Program program = Sb(kRlx, kRlx, kNoFence);
  AxiomaticOptions options;
  bool complete = false;
  EXPECT_EQ(RunAxiomatic(program, options, &complete).executions, 4u);
  EXPECT_TRUE(complete);
  options.max_candidates = 3;
  EXPECT_LT(RunAxiomatic(program, options, &complete).executions, 4u);
  EXPECT_FALSE(complete);
  options.max_candidates = 1000;
  EXPECT_EQ(RunAxiomatic(program, options, &complete).executions, 4u);
  EXPECT_TRUE(complete);
}

TEST(Axiomatic, SixtyFourEvents) {
  Program program = MakeProgram({Body(63, Store(kX, 1, kSc))});
  for (const Model &model : kModels)
    EXPECT_EQ(RunModel(program, model.model, kCxx11).executions, 1u);
  program = MakeProgram({Body(64, Store(kX, 1, kSc))});
  EXPECT_THROW(RunModel(program, AxiomaticModel::kC11Tester, kCxx20), std::length_error);
}

TEST(Axiomatic, ForEachConsistent) {
  Program program = Mp(kSc, kSc, kNoFence, kNoFence);
  AxiomaticOptions options;
  int executions = 0;
  EXPECT_TRUE(ForEachConsistent(program, options, [&](const Execution &execution) {
    executions++;
    // Two initial writes, then a thread each.
    EXPECT_EQ(execution.events.size(), 6u);
    EXPECT_EQ(execution.events[0].statement, nullptr);
    EXPECT_EQ(execution.events[2].statement, &program.threads[0].body[0]);
    EXPECT_EQ(execution.events[5].statement, &program.threads[1].body[1]);
    EXPECT_TRUE(execution.asw.Has(1, 4));
    EXPECT_FALSE(execution.asw.Has(2, 4));
    EXPECT_TRUE(execution.sb.Has(2, 3));
    EXPECT_TRUE(execution.mo.Has(0, 2));
    bool passed = execution.state == State{1, 1};
    EXPECT_EQ(execution.rf.Has(3, 4), passed);
    EXPECT_EQ(execution.sw.Has(3, 4), passed);
    EXPECT_EQ(execution.hb.Has(2, 5), passed);
    EXPECT_EQ(execution.sc.Has(3, 4), passed);
    EXPECT_NE(execution.sc.Has(4, 3), passed);
    return true;
  }));
  EXPECT_EQ(executions, 3);
  executions = 0;
  EXPECT_FALSE(ForEachConsistent(program, options, [&](const Execution &) {
    executions++;
    return false;
  }));
  EXPECT_EQ(executions, 1);
}

} // namespace
