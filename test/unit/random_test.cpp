// heddle/choice/random.h against reference generators written from the papers,
// and simple statistics. All seeds are fixed: a test that passes once passes
// always.

#include "heddle/choice/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace {
using namespace __heddle;

// SplitMix64: a counter in steps of the golden ratio, and a finaliser.
struct ReferenceSplitMix {
  uint64_t counter;
  uint64_t operator()() {
    counter += UINT64_C(11400714819323198485);
    uint64_t z = counter;
    z ^= z >> 30;
    z *= UINT64_C(13787848793156543929);
    z ^= z >> 27;
    z *= UINT64_C(10723151780598845931);
    z ^= z >> 31;
    return z;
  }
};

// xoshiro256**: the scrambler on word 1, and the linear engine as one step of
// new values computed from old ones.
struct ReferenceXoshiro {
  uint64_t a, b, c, d;
  uint64_t operator()() {
    uint64_t five = b * 5;
    uint64_t turned = five * 128 + five / (UINT64_C(1) << 57);
    uint64_t mixed_c = c ^ a, mixed_d = d ^ b;
    uint64_t new_b = b ^ mixed_c, new_a = a ^ mixed_d;
    uint64_t new_c = mixed_c ^ (b << 17);
    uint64_t new_d = (mixed_d << 45) + (mixed_d >> 19);
    a = new_a, b = new_b, c = new_c, d = new_d;
    return turned * 9;
  }
};

ReferenceXoshiro Reference(uint64_t seed) {
  ReferenceSplitMix fill{seed};
  ReferenceXoshiro reference;
  reference.a = fill();
  reference.b = fill();
  reference.c = fill();
  reference.d = fill();
  return reference;
}

constexpr u64 kSeeds[] = {0, 1, 2, 42, 0x5eed, 0x9e3779b97f4a7c15, ~u64(0), u64(1) << 63};

// Pearson's statistic, as the number of standard deviations it is off: its cube
// root is nearly normal (Wilson and Hilferty).
double ChiSquareDeviation(const std::vector<u64> &counts) {
  double total = 0, chi = 0;
  for (u64 count : counts)
    total += count;
  double expected = total / counts.size();
  for (u64 count : counts)
    chi += (count - expected) * (count - expected) / expected;
  double freedom = counts.size() - 1;
  double variance = 2 / (9 * freedom);
  return (std::cbrt(chi / freedom) - (1 - variance)) / std::sqrt(variance);
}

TEST(Random, IsXoshiroSeededBySplitMix) {
  for (u64 seed : kSeeds) {
    Random random(seed);
    ReferenceXoshiro reference = Reference(seed);
    for (int i = 0; i < 1000; i++)
      ASSERT_EQ(random.Next(), reference()) << "seed " << seed << ", number " << i;
  }
}

// The first outputs of the published generators: SplitMix64 from 0, and
// xoshiro256** from the state 1, 2, 3, 4. The second is easily done by hand.
TEST(Random, PublishedNumbers) {
  Random::State seeded = Random(0).Save();
  EXPECT_EQ(seeded.words[0], 0xe220a8397b1dcdafu);
  EXPECT_EQ(seeded.words[1], 0x6e789e6aa1b965f4u);
  EXPECT_EQ(seeded.words[2], 0x06c45d188009454fu);
  EXPECT_EQ(seeded.words[3], 0xf88bb8a8724c81ecu);

  Random random;
  ASSERT_TRUE(random.Restore({{1, 2, 3, 4}}));
  EXPECT_EQ(random.Next(), 2u * 5 * 128 * 9);
  EXPECT_EQ(random.Next(), 0u);
  EXPECT_EQ(random.Next(), 262149u * 5 * 128 * 9);
}

TEST(Random, SeedZeroIsASeed) {
  Random random(0);
  std::unordered_set<u64> numbers;
  for (int i = 0; i < 10000; i++)
    numbers.insert(random.Next());
  EXPECT_EQ(numbers.size(), 10000u);
}

TEST(Random, IsKnownWhenCompiled) {
  static constexpr Random random(42, 7);
  Random copy = random, same(42, 7);
  EXPECT_EQ(copy.Next(), same.Next());
}

TEST(Random, SaveAndRestore) {
  Random random(7);
  random.Next();
  Random::State state = random.Save();
  std::vector<u64> first, second;
  for (int i = 0; i < 100; i++)
    first.push_back(random.Next());
  Random other(8);
  ASSERT_TRUE(other.Restore(state));
  for (int i = 0; i < 100; i++)
    second.push_back(other.Next());
  EXPECT_EQ(first, second);
}

TEST(Random, RefusesTheStateThatStaysZero) {
  Random random(7), same(7);
  EXPECT_FALSE(random.Restore({{0, 0, 0, 0}}));
  EXPECT_EQ(random.Next(), same.Next());
}

TEST(Random, BelowIsUniform) {
  for (u64 seed : kSeeds) {
    for (u32 bound : {2u, 3u, 5u, 6u, 7u, 10u, 16u, 100u, 1000u}) {
      Random random(seed);
      std::vector<u64> counts(bound);
      for (u32 i = 0; i < 100 * bound + 20000; i++) {
        u32 number = random.Below(bound);
        ASSERT_LT(number, bound);
        counts[number]++;
      }
      EXPECT_LT(std::abs(ChiSquareDeviation(counts)), 4.5)
          << "seed " << seed << ", bound " << bound;
    }
  }
}

// A bound of 3 * 2^30: taking the remainder or the product without rejection,
// one third of the numbers would come up twice as often as the others.
TEST(Random, BelowIsNotBiasedForLargeBounds) {
  constexpr u32 kBound = 3u << 30;
  Random random(11);
  std::vector<u64> remainders(3), thirds(3);
  for (int i = 0; i < 300000; i++) {
    u32 number = random.Below(kBound);
    remainders[number % 3]++;
    thirds[number / (1u << 30)]++;
  }
  EXPECT_LT(std::abs(ChiSquareDeviation(remainders)), 4.5);
  EXPECT_LT(std::abs(ChiSquareDeviation(thirds)), 4.5);
}

// Exactly those draws are rejected that must be: the rest maps onto each result
// equally often. Checked in the reference's own terms, by division.
TEST(Random, BelowRejectsWhatItMust) {
  for (u32 bound : {1u, 2u, 3u, 7u, 1u << 31, (1u << 31) + 1, 3u << 30, ~0u - 1, ~0u}) {
    Random random(5);
    ReferenceXoshiro reference = Reference(5);
    uint64_t surplus = (UINT64_C(1) << 32) % bound;
    for (int i = 0; i < 2000; i++) {
      uint64_t product;
      do
        product = (reference() / (UINT64_C(1) << 32)) * bound;
      while (product % (UINT64_C(1) << 32) < surplus);
      ASSERT_EQ(random.Below(bound), product / (UINT64_C(1) << 32)) << "bound " << bound;
    }
  }
}

TEST(Random, BelowOneIsZero) {
  Random random(3);
  for (int i = 0; i < 100; i++)
    EXPECT_EQ(random.Below(1), 0u);
}

TEST(Random, Below64IsBelowForSmallBounds) {
  Random a(6), b(6);
  for (u32 bound : {1u, 2u, 7u, 1u << 31, ~0u})
    for (int i = 0; i < 100; i++)
      ASSERT_EQ(a.Below64(bound), b.Below(bound));
}

TEST(Random, Below64IsUniform) {
  for (u64 bound : {u64(1) << 32, (u64(1) << 32) + 1, u64(3) << 40, u64(1) << 63, ~u64(0)}) {
    Random random(12);
    std::vector<u64> tenths(10), remainders(3);
    for (int i = 0; i < 100000; i++) {
      u64 number = random.Below64(bound);
      ASSERT_LT(number, bound);
      tenths[std::min<u64>(number / (bound / 10), 9)]++;
      remainders[number % 3]++;
    }
    EXPECT_LT(std::abs(ChiSquareDeviation(tenths)), 4.5) << "bound " << bound;
    EXPECT_LT(std::abs(ChiSquareDeviation(remainders)), 4.5) << "bound " << bound;
  }
}

TEST(Random, ChanceHasItsProbability) {
  constexpr int kDraws = 100000;
  for (u32 percent : {0u, 1u, 10u, 50u, 90u, 99u, 100u}) {
    Random random(percent);
    double p = percent / 100.0, hits = 0;
    for (int i = 0; i < kDraws; i++)
      hits += random.Chance(Probability::Ratio(percent, 100));
    EXPECT_LE(std::abs(hits - p * kDraws), 4.5 * std::sqrt(kDraws * p * (1 - p))) << percent;
  }
}

TEST(Random, NeverAndAlways) {
  Random random(9);
  for (int i = 0; i < 10000; i++) {
    EXPECT_FALSE(random.Chance(Probability::Never()));
    EXPECT_TRUE(random.Chance(Probability::Always()));
  }
  EXPECT_EQ(Probability::Ratio(5, 5).Scaled(), Probability::Always().Scaled());
  EXPECT_EQ(Probability::Ratio(1, 2).Scaled(), u64(1) << 31);
  EXPECT_EQ(Probability::Ratio(1, ~0u).Scaled(), 1u);
}

TEST(Random, ChanceDrawsOnceWhateverTheProbability) {
  Random a(4), b(4);
  a.Chance(Probability::Never());
  b.Chance(Probability::Ratio(2, 3));
  EXPECT_EQ(a.Next(), b.Next());
}

// Seeds are written down and passed on, so what they mean is fixed.
TEST(Random, StreamsAreSeededAsTheyAlwaysWere) {
  for (u64 seed : kSeeds) {
    for (u64 stream : kSeeds) {
      uint64_t z = stream;
      z = (z ^ (z >> 30)) * UINT64_C(13787848793156543929);
      z = (z ^ (z >> 27)) * UINT64_C(10723151780598845931);
      z = z ^ (z >> 31);
      Random random(seed, stream);
      ReferenceXoshiro reference = Reference(seed ^ z);
      ASSERT_EQ(random.Next(), reference());
      Random child = random.Split();
      ReferenceXoshiro reference_child = Reference(reference());
      ASSERT_EQ(child.Next(), reference_child());
      ASSERT_EQ(random.Next(), reference());
    }
  }
}

TEST(Random, StreamZeroIsTheSeed) {
  Random stream(42, 0), seed(42);
  EXPECT_EQ(stream.Next(), seed.Next());
}

// The generators that must have nothing to do with each other: neighbouring
// streams of neighbouring seeds, streams split off one after the other, and what
// they were split off from.
std::vector<Random> Relatives() {
  std::vector<Random> relatives;
  for (u64 seed = 0; seed < 8; seed++)
    for (u64 stream = 0; stream < 8; stream++)
      relatives.push_back(Random(seed, stream));
  Random parent(1000);
  for (int i = 0; i < 16; i++)
    relatives.push_back(parent.Split());
  Random child = parent.Split();
  for (int i = 0; i < 16; i++)
    relatives.push_back(child.Split());
  relatives.push_back(child);
  relatives.push_back(parent);
  return relatives;
}

TEST(Random, StreamsDoNotOverlap) {
  std::unordered_set<u64> seen;
  uptr drawn = 0;
  for (Random random : Relatives()) {
    for (int i = 0; i < 5000; i++, drawn++)
      seen.insert(random.Next());
  }
  EXPECT_EQ(seen.size(), drawn);
}

// Of independent streams, 32 bits of 64 agree on average, with a variance of 16
// per number; 200 numbers are put together.
TEST(Random, StreamsAreNotCorrelated) {
  constexpr int kNumbers = 200;
  std::vector<std::vector<u64>> numbers;
  for (Random random : Relatives()) {
    numbers.emplace_back();
    for (int i = 0; i < kNumbers; i++)
      numbers.back().push_back(random.Next());
  }
  double worst = 0;
  for (uptr a = 0; a < numbers.size(); a++) {
    for (uptr b = 0; b < a; b++) {
      int agree = 0;
      for (int i = 0; i < kNumbers; i++)
        agree += __builtin_popcountll(~(numbers[a][i] ^ numbers[b][i]));
      worst = std::max(worst, std::abs(agree - 32.0 * kNumbers) / std::sqrt(16.0 * kNumbers));
    }
  }
  EXPECT_LT(worst, 5.0);
}

// The pairs of answers that two streams give at the same time are all equally
// frequent.
TEST(Random, PairsOfStreamsAreUniform) {
  for (u64 seed = 0; seed < 20; seed++) {
    Random a(seed, 1), b(seed, 2), parent(seed), child = parent.Split();
    std::vector<u64> of_streams(64), of_split(64);
    for (int i = 0; i < 20000; i++) {
      of_streams[a.Below(8) * 8 + b.Below(8)]++;
      of_split[parent.Below(8) * 8 + child.Below(8)]++;
    }
    EXPECT_LT(std::abs(ChiSquareDeviation(of_streams)), 4.5) << "seed " << seed;
    EXPECT_LT(std::abs(ChiSquareDeviation(of_split)), 4.5) << "seed " << seed;
  }
}

// The first answer over neighbouring seeds: `heddle hunt` counts its seeds up.
TEST(Random, NeighbouringSeedsAreUniform) {
  for (u64 stream = 0; stream < 8; stream++) {
    std::vector<u64> counts(6);
    for (u64 seed = 0; seed < 30000; seed++)
      counts[Random(seed, stream).Below(6)]++;
    EXPECT_LT(std::abs(ChiSquareDeviation(counts)), 4.5) << "stream " << stream;
  }
}

TEST(RandomDeathTest, BadArguments) {
  Random random(1);
  EXPECT_DEATH(random.Below(0), "");
  volatile u32 two = 2, one = 1, zero = 0;
  EXPECT_DEATH(Probability::Ratio(two, one), "");
  EXPECT_DEATH(Probability::Ratio(zero, zero), "");
}

} // namespace
