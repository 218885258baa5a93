//===-- random.h - The seeded generator -----------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where strategies get their randomness. A run is named by its seed, so the
// same seed must give the same numbers on every machine and, as long as it can
// be helped, in every version.
//
// The generator is xoshiro256** (Blackman and Vigna, "Scrambled linear
// pseudorandom number generators", ACM TOMS 2021): 256 bits of state, period
// 2^256 - 1, under a nanosecond. Its state is filled by SplitMix64 (Steele, Lea
// and Flood, OOPSLA 2014), as its authors advise. SplitMix64's four outputs
// differ, so the one forbidden state, all zeroes, cannot come up: every seed is
// fine, 0 too.
//
// One seed gives 2^64 streams, each with a number. A part of the runtime that
// draws from a stream of its own leaves the numbers of all others as they are,
// however often it draws. Streams are told apart by their seeding, not by
// jumping ahead: any of them can be had directly. No two streams of a seed start
// in the same state; that two overlap within 2^64 numbers of each has a
// probability of 2^-191.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_RANDOM_H
#define HEDDLE_CHOICE_RANDOM_H

#include "heddle/choice/check.h"
#include "heddle/choice/types.h"

namespace __heddle {

// A probability in units of 2^-32, so that it is the same on every machine. It
// includes both 0 and 1.
class Probability {
public:
  // numerator / denominator, rounded down; at most 1.
  static constexpr Probability Ratio(u32 numerator, u32 denominator) {
    Require(numerator <= denominator && denominator != 0);
    return Probability((u64(numerator) << 32) / denominator);
  }
  static constexpr Probability Never() { return Probability(0); }
  static constexpr Probability Always() { return Probability(kOne); }

  constexpr u64 Scaled() const { return scaled_; }

private:
  static constexpr u64 kOne = u64(1) << 32;

  constexpr explicit Probability(u64 scaled) : scaled_(scaled) {}

  u64 scaled_;
};

class Random {
public:
  // Everything the generator knows, to be kept and restored.
  struct State {
    u64 words[4];
  };

  constexpr Random() : Random(0) {}
  constexpr explicit Random(u64 seed, u64 stream = 0) : state_{} {
    // Mix(0) is 0: stream 0 is the generator as its authors would seed it.
    u64 counter = seed ^ Mix(stream);
    for (u64 &word : state_.words)
      word = Mix(counter += kGolden);
  }

  State Save() const { return state_; }

  // False, and nothing changed, if no generator can be in that state.
  bool Restore(const State &state) {
    if (!(state.words[0] | state.words[1] | state.words[2] | state.words[3]))
      return false;
    state_ = state;
    return true;
  }

  u64 Next() {
    u64 *s = state_.words;
    u64 result = Rotate(s[1] * 5, 7) * 9;
    u64 shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = Rotate(s[3], 45);
    return result;
  }

  // Uniform below `bound`, which is at least 1. Lemire's method ("Fast random
  // integer generation in an interval", ACM TOMACS 2019): the high half of a
  // product, drawn again for those few low halves that would favour some result.
  u32 Below(u32 bound) {
    Require(bound != 0);
    u64 product = Draw32() * bound;
    if (__builtin_expect(u32(product) < bound, 0)) {
      u32 surplus = (0u - bound) % bound; // 2^32 mod bound
      while (u32(product) < surplus)
        product = Draw32() * bound;
    }
    return u32(product >> 32);
  }

  // The same for bounds that need not fit 32 bits; those that do cost no more.
  u64 Below64(u64 bound) {
    if (bound <= ~u32(0))
      return Below(u32(bound));
    u32 shift = u32(__builtin_clzll(bound - 1));
    u64 number;
    do
      number = Next() >> shift; // at least half of these are below the bound
    while (number >= bound);
    return number;
  }

  // Draws once whatever the probability, so that changing it disturbs no other
  // number of the stream.
  bool Chance(Probability probability) { return Draw32() < probability.Scaled(); }

  // A generator of its own, seeded by this one's next number. Of n generators
  // split off, two are the same with a probability of n^2 / 2^65.
  Random Split() { return Random(Next()); }

private:
  static constexpr u64 kGolden = 0x9e3779b97f4a7c15; // 2^64 / the golden ratio, made odd

  // The output function of SplitMix64: a bijection.
  static constexpr u64 Mix(u64 x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  static constexpr u64 Rotate(u64 x, u32 left) { return (x << left) | (x >> (64 - left)); }

  // The high bits are the better ones.
  u64 Draw32() { return Next() >> 32; }

  State state_;
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_RANDOM_H
