// heddle/choice/enumerator.h against a recursive enumeration of random trees,
// and against formulas.

#include "heddle/choice/enumerator.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {
using namespace __heddle;
using namespace testing_choice;

using Explorer = Enumerator<CountingMemory>;
using Path = std::vector<u32>;
using Paths = std::vector<Path>;

// The leaves of a tree with at most `limit` deviations of the counted kinds, in
// lexicographic order.
void Leaves(const RandomTree &tree, const EnumerationBound &bound, Path &path, u32 deviations,
            Paths &leaves) {
  ChoiceKind kind;
  u32 options;
  if (!tree.Asks(path, kind, options)) {
    leaves.push_back(path);
    return;
  }
  for (u32 answer = 0; answer < options; answer++) {
    u32 more = answer && (bound.kinds & KindBit(kind));
    if (deviations + more > bound.limit)
      continue;
    path.push_back(answer);
    Leaves(tree, bound, path, deviations + more, leaves);
    path.pop_back();
  }
}

Paths Reference(const RandomTree &tree, const EnumerationBound &bound = {}) {
  Path path;
  Paths leaves;
  Leaves(tree, bound, path, 0, leaves);
  return leaves;
}

struct Walk {
  Paths owned;
  u32 others = 0; // runs of leaves of another part
};

template <class Program> Walk WalkAll(Explorer &explorer, Program program) {
  Walk walk;
  do {
    ChoiceStream stream(explorer);
    Path path = program(stream);
    if (explorer.OwnsLeaf())
      walk.owned.push_back(path);
    else
      walk.others++;
  } while (explorer.Next());
  EXPECT_EQ(explorer.Nondeterminism(), nullptr);
  EXPECT_EQ(explorer.Leaves(), walk.owned.size());
  EXPECT_FALSE(explorer.Next());
  EXPECT_EQ(explorer.Leaves(), walk.owned.size());
  return walk;
}

template <class Program> u64 CountLeaves(Program program, EnumerationBound bound = {}) {
  Explorer explorer(bound);
  Walk walk = WalkAll(explorer, [&](ChoiceStream &stream) {
    program(stream);
    return Path();
  });
  EXPECT_EQ(walk.others, 0u);
  return explorer.Leaves();
}

u64 Power(u64 base, u32 exponent) {
  u64 power = 1;
  for (; exponent; exponent--)
    power *= base;
  return power;
}

u64 Binomial(u64 n, u64 k) {
  u64 result = 1;
  for (u64 i = 0; i < k; i++)
    result = result * (n - i) / (i + 1);
  return result;
}

TEST(Enumerator, ProgramWithoutChoices) {
  EXPECT_EQ(CountLeaves([](ChoiceStream &) {}), 1u);
  EXPECT_EQ(CountLeaves([](ChoiceStream &stream) { stream.Choose(ChoiceKind::kRead, 1); }), 1u);
}

TEST(Enumerator, PowersOfOptions) {
  for (u32 options = 2; options <= 5; options++) {
    for (u32 depth = 0; depth <= 6; depth++) {
      EXPECT_EQ(CountLeaves([=](ChoiceStream &stream) {
                  for (u32 i = 0; i < depth; i++)
                    stream.Choose(ChoiceKind::kValue, options);
                }),
                Power(options, depth));
    }
  }
}

TEST(Enumerator, Permutations) {
  EXPECT_EQ(CountLeaves([](ChoiceStream &stream) {
              for (u32 left = 7; left > 1; left--)
                stream.Choose(ChoiceKind::kWake, left);
            }),
            5040u);
}

// Two threads of n steps each: as many interleavings as ways to choose n of 2n.
TEST(Enumerator, Interleavings) {
  for (u32 steps = 0; steps <= 8; steps++) {
    EXPECT_EQ(CountLeaves([=](ChoiceStream &stream) {
                u32 left[2] = {steps, steps};
                while (left[0] && left[1])
                  left[stream.Choose(ChoiceKind::kThread, 2)]--;
              }),
              Binomial(2 * steps, steps));
  }
}

// At most b answers other than 0 in a tree of given depth: sum of C(d, i) (n-1)^i.
TEST(Enumerator, BoundedPowers) {
  for (u32 options = 2; options <= 4; options++) {
    for (u32 depth = 0; depth <= 6; depth++) {
      for (u32 limit = 0; limit <= depth + 1; limit++) {
        u64 expected = 0;
        for (u32 i = 0; i <= limit && i <= depth; i++)
          expected += Binomial(depth, i) * Power(options - 1, i);
        EnumerationBound bound;
        bound.limit = limit;
        EXPECT_EQ(CountLeaves(
                      [=](ChoiceStream &stream) {
                        for (u32 i = 0; i < depth; i++)
                          stream.Choose(ChoiceKind::kThread, options);
                      },
                      bound),
                  expected);
      }
    }
  }
}

// Threads are bounded, reads are not.
TEST(Enumerator, BoundCountsSomeKinds) {
  EnumerationBound bound;
  bound.limit = 1;
  bound.kinds = KindBit(ChoiceKind::kThread);
  EXPECT_EQ(CountLeaves(
                [](ChoiceStream &stream) {
                  for (int i = 0; i < 5; i++) {
                    stream.Choose(ChoiceKind::kThread, 2);
                    stream.Choose(ChoiceKind::kRead, 3);
                  }
                },
                bound),
            (1 + 5) * Power(3, 5));
}

TEST(Enumerator, RandomTreesInLexicographicOrder) {
  u64 leaves = 0;
  for (u64 seed = 0; seed < 400; seed++) {
    RandomTree tree(seed, 3 + seed % 6, 2 + seed % 4);
    Explorer explorer;
    Walk walk = WalkAll(explorer, [&](ChoiceStream &stream) { return tree.Run(stream); });
    Paths expected = Reference(tree);
    ASSERT_TRUE(std::is_sorted(expected.begin(), expected.end()));
    ASSERT_EQ(walk.owned, expected) << "seed " << seed;
    ASSERT_EQ(walk.others, 0u);
    leaves += expected.size();
  }
  EXPECT_GT(leaves, 50000u);
}

TEST(Enumerator, BoundedRandomTrees) {
  for (u64 seed = 0; seed < 400; seed++) {
    RandomTree tree(seed, 3 + seed % 8, 2 + seed % 4);
    EnumerationBound bound;
    bound.limit = seed % 4;
    if (seed % 3 == 0)
      bound.kinds = KindBit(ChoiceKind::kThread) | KindBit(ChoiceKind::kWake);
    if (seed % 3 == 0 && seed % 8 > 4)
      continue; // too many leaves with kinds that do not count
    Explorer explorer(bound);
    Walk walk = WalkAll(explorer, [&](ChoiceStream &stream) { return tree.Run(stream); });
    ASSERT_EQ(walk.owned, Reference(tree, bound)) << "seed " << seed;
  }
}

// The parts, one after the other, are the whole: every leaf in exactly one. Each
// part costs at most one run more than it has leaves.
TEST(Enumerator, PartsMakeTheWhole) {
  for (u64 seed = 0; seed < 300; seed++) {
    RandomTree tree(seed, 3 + seed % 5, 2 + seed % 4);
    EnumerationBound bound;
    if (seed % 2)
      bound.limit = 1 + seed % 3;
    for (u32 count : {1u, 2u, 3u, 7u, 16u, 100u}) {
      Paths together;
      for (u32 index = 0; index < count; index++) {
        Explorer explorer(bound, {index, count});
        Walk walk = WalkAll(explorer, [&](ChoiceStream &stream) { return tree.Run(stream); });
        ASSERT_LE(walk.others, 1u);
        together.insert(together.end(), walk.owned.begin(), walk.owned.end());
      }
      ASSERT_EQ(together, Reference(tree, bound)) << "seed " << seed << ", parts " << count;
    }
  }
}

TEST(Enumerator, PartsOfAnEvenTreeAreEven) {
  for (u32 count : {2u, 3u, 5u, 8u, 64u}) {
    for (u32 index = 0; index < count; index++) {
      Explorer explorer({}, {index, count});
      u64 expected = 4096 / count;
      Walk walk = WalkAll(explorer, [](ChoiceStream &stream) {
        Path path;
        for (int i = 0; i < 12; i++)
          path.push_back(stream.Choose(ChoiceKind::kRead, 2));
        return path;
      });
      EXPECT_GE(walk.owned.size(), expected);
      EXPECT_LE(walk.owned.size(), expected + 1);
    }
  }
}

// Deeper than the line can be divided: what is left goes to one part, whole.
TEST(Enumerator, PartsOfADeepTree) {
  auto program = [](ChoiceStream &stream) {
    Path path;
    while (path.size() < 100) {
      path.push_back(stream.Choose(ChoiceKind::kThread, 3));
      if (path.back() == 2)
        break;
    }
    return path;
  };
  EnumerationBound bound;
  bound.limit = 2;
  Explorer whole(bound);
  Paths expected = WalkAll(whole, program).owned, together;
  for (u32 index = 0; index < 10; index++) {
    Explorer explorer(bound, {index, 10});
    Walk walk = WalkAll(explorer, program);
    together.insert(together.end(), walk.owned.begin(), walk.owned.end());
  }
  EXPECT_EQ(together, expected);
}

// The same with nodes that lie on the borders of the parts.
TEST(Enumerator, PartsThatBeginAtADeepNode) {
  auto program = [](ChoiceStream &stream) {
    Path path;
    while (path.size() < 48)
      path.push_back(stream.Choose(ChoiceKind::kThread, 2));
    return path;
  };
  EnumerationBound bound;
  bound.limit = 2;
  for (u32 count : {2u, 4u, 64u}) {
    u64 together = 0;
    for (u32 index = 0; index < count; index++) {
      Explorer explorer(bound, {index, count});
      together += WalkAll(explorer, program).owned.size();
    }
    EXPECT_EQ(together, 1 + Binomial(48, 1) + Binomial(48, 2));
  }
}

TEST(Enumerator, PartsOfAnEnormousChoice) {
  constexpr u32 kParts = 1u << 30;
  for (u32 index : {0u, 1u, kParts / 2, kParts - 1}) {
    Explorer explorer({}, {index, kParts});
    Walk walk = WalkAll(explorer, [](ChoiceStream &stream) {
      return Path{stream.Choose(ChoiceKind::kValue, ~0u)};
    });
    EXPECT_GE(walk.owned.size(), 3u);
    EXPECT_LE(walk.owned.size(), 4u);
    EXPECT_NEAR(double(walk.owned[0][0]), index * 4.0, 1.0);
  }
}

TEST(Enumerator, MemoryGrowsWithTheDepthOnly) {
  for (u32 depth : {4u, 8u, 16u}) {
    uptr before = CountingMemory::live;
    CountingMemory::peak = before;
    Explorer explorer;
    u64 leaves = 0;
    do {
      ChoiceStream stream(explorer);
      for (u32 i = 0; i < depth; i++)
        stream.Choose(ChoiceKind::kRead, 2);
      leaves++;
    } while (explorer.Next());
    EXPECT_EQ(leaves, u64(1) << depth);
    EXPECT_LE(CountingMemory::peak - before, 4 * 40 * depth);
  }
}

TEST(Enumerator, NoticesAnotherQuestion) {
  Explorer explorer;
  u32 runs = 0;
  do {
    ChoiceStream stream(explorer);
    stream.Choose(ChoiceKind::kThread, 2);
    stream.Choose(ChoiceKind::kRead, runs == 1 ? 3 : 2);
    // Whatever it is asked afterwards is answered.
    EXPECT_EQ(stream.Choose(ChoiceKind::kWake, 2), 0u);
    runs++;
  } while (explorer.Next());
  EXPECT_EQ(runs, 2u);
  const Divergence *where = explorer.Nondeterminism();
  ASSERT_NE(where, nullptr);
  EXPECT_EQ(where->index, 1u);
  EXPECT_TRUE(where->expected == (Question{ChoiceKind::kRead, 2}));
  EXPECT_TRUE(where->asked == (Question{ChoiceKind::kRead, 3}));
  EXPECT_FALSE(explorer.Next());
  EXPECT_EQ(explorer.Leaves(), 1u); // the second run is none
}

TEST(Enumerator, NoticesAnotherKind) {
  Explorer explorer;
  u32 runs = 0;
  do {
    ChoiceStream stream(explorer);
    stream.Choose(runs++ ? ChoiceKind::kThread : ChoiceKind::kRead, 2);
  } while (explorer.Next());
  ASSERT_NE(explorer.Nondeterminism(), nullptr);
  EXPECT_TRUE(explorer.Nondeterminism()->asked == (Question{ChoiceKind::kThread, 2}));
}

TEST(Enumerator, NoticesAnEarlyEnd) {
  Explorer explorer;
  u32 runs = 0;
  do {
    ChoiceStream stream(explorer);
    if (runs++ == 1)
      continue; // to Next()
    stream.Choose(ChoiceKind::kThread, 2);
  } while (explorer.Next());
  EXPECT_EQ(runs, 2u);
  ASSERT_NE(explorer.Nondeterminism(), nullptr);
  EXPECT_EQ(explorer.Nondeterminism()->index, 0u);
  EXPECT_TRUE(explorer.Nondeterminism()->asked == kTheEnd);
}

// Programs that change from one run on: found if and only if the change is in
// the prefix that the run repeats.
TEST(Enumerator, NoticesChangesInRepeatedPrefixes) {
  int noticed = 0;
  for (u64 seed = 0; seed < 500; seed++) {
    u32 change_at = seed % 6, change_run = 1 + seed % 40, runs = 0;
    Explorer explorer;
    Path last;
    bool expected = false;
    do {
      ChoiceStream stream(explorer);
      Path path;
      for (u32 i = 0; i < 6; i++) {
        bool changed = runs == change_run && i == change_at;
        path.push_back(stream.Choose(ChoiceKind::kRead, changed ? 3 : 2));
      }
      if (runs == change_run) {
        // A run repeats its predecessor up to the last 0 of that, which it changes.
        u32 repeated = 6;
        while (last[repeated - 1] == 1)
          repeated--;
        expected = change_at < repeated;
        ASSERT_EQ(explorer.Nondeterminism() != nullptr, expected);
        noticed += expected;
        break;
      }
      last = path;
      runs++;
    } while (explorer.Next());
  }
  EXPECT_GT(noticed, 100);
}

TEST(EnumeratorDeathTest, PartThatIsNone) {
  volatile u32 two = 2, zero = 0;
  EXPECT_DEATH(Explorer({}, {two, two}), "");
  EXPECT_DEATH(Explorer({}, {zero, zero}), "");
}

} // namespace
