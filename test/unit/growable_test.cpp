// heddle/choice/growable.h against std::vector.

#include "heddle/choice/growable.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {
using namespace __heddle;
using testing_choice::CountingMemory;

using Numbers = Growable<u64, CountingMemory>;

std::vector<u64> ToStd(const Numbers &numbers) {
  return {numbers.Data(), numbers.Data() + numbers.Size()};
}

TEST(Growable, HoldsNoMemoryUntilItIsUsed) {
  uptr before = CountingMemory::live;
  Numbers numbers;
  EXPECT_TRUE(numbers.Empty());
  EXPECT_EQ(numbers.Data(), nullptr);
  EXPECT_EQ(CountingMemory::live, before);
  numbers.Release();
  EXPECT_EQ(CountingMemory::live, before);
}

TEST(Growable, ExtendsInPlace) {
  Numbers numbers;
  numbers.Push(1);
  u64 *more = numbers.Extend(100);
  for (u64 i = 0; i < 100; i++)
    more[i] = i;
  numbers.Push(2);
  EXPECT_EQ(numbers.Size(), 102u);
  EXPECT_GE(numbers.Capacity(), 102u);
  EXPECT_EQ(numbers[0], 1u);
  EXPECT_EQ(numbers[100], 99u);
  EXPECT_EQ(numbers[101], 2u);
}

TEST(Growable, FreesWhatItTook) {
  uptr before = CountingMemory::live;
  {
    Numbers numbers;
    for (u64 i = 0; i < 1000; i++)
      numbers.Push(i);
    EXPECT_GE(CountingMemory::live, before + 8000);
    EXPECT_LE(CountingMemory::live, before + 2 * 8000 + 64);
  }
  EXPECT_EQ(CountingMemory::live, before);
}

TEST(Growable, GrowsByFactors) {
  uptr before = CountingMemory::allocations;
  Numbers numbers;
  for (u64 i = 0; i < 100000; i++)
    numbers.Push(i);
  EXPECT_LE(CountingMemory::allocations, before + 16);
}

TEST(Growable, PushesItsOwnElementWhileItMoves) {
  Numbers numbers;
  numbers.Push(42);
  for (int i = 0; i < 1000; i++)
    numbers.Push(numbers[0]);
  EXPECT_EQ(ToStd(numbers), std::vector<u64>(1001, 42));
}

TEST(Growable, ElementsLargerThanTheFirstBlock) {
  struct Large {
    u64 words[20];
  };
  Growable<Large, CountingMemory> large;
  for (u64 i = 0; i < 10; i++)
    large.Push({{i, i + 1}});
  for (u64 i = 0; i < 10; i++)
    EXPECT_EQ(large[i].words[1], i + 1);
}

TEST(Growable, ClearKeepsTheMemory) {
  Numbers numbers;
  for (u64 i = 0; i < 100; i++)
    numbers.Push(i);
  uptr live = CountingMemory::live;
  numbers.Clear();
  EXPECT_TRUE(numbers.Empty());
  for (u64 i = 0; i < 100; i++)
    numbers.Push(i);
  EXPECT_EQ(CountingMemory::live, live);
}

TEST(Growable, AssignAndSwap) {
  Numbers a, b;
  for (u64 i = 0; i < 30; i++)
    a.Push(i);
  b.Push(7);
  std::vector<u64> all = ToStd(a);
  a.Swap(b);
  EXPECT_EQ(ToStd(a), std::vector<u64>{7});
  EXPECT_EQ(ToStd(b), all);
  a.Assign(b);
  EXPECT_EQ(ToStd(a), all);
  a.Assign(a);
  EXPECT_EQ(ToStd(a), all);
  a[3] = 99;
  EXPECT_EQ(b[3], 3u);
  Numbers empty;
  a.Assign(empty);
  EXPECT_TRUE(a.Empty());
}

TEST(Growable, RandomOperations) {
  std::mt19937_64 random(1);
  Numbers numbers;
  std::vector<u64> expected;
  for (int step = 0; step < 20000; step++) {
    u64 value = random();
    switch (random() % 8) {
    case 0: {
      std::vector<u64> more(value % 20, value);
      numbers.Append(more.data(), more.size());
      expected.insert(expected.end(), more.begin(), more.end());
      break;
    }
    case 1:
      if (!expected.empty()) {
        numbers.Pop();
        expected.pop_back();
      }
      break;
    case 2: {
      uptr size = value % 200;
      numbers.Truncate(size);
      if (size < expected.size())
        expected.resize(size);
      break;
    }
    default:
      numbers.Push(value);
      expected.push_back(value);
    }
    ASSERT_EQ(numbers.Size(), expected.size());
    if (!expected.empty()) {
      ASSERT_EQ(numbers.Back(), expected.back());
    }
  }
  EXPECT_EQ(ToStd(numbers), expected);
}

TEST(GrowableTest, WhatIsExpectedDoesNotMove) {
  Numbers numbers;
  numbers.Push(1);
  numbers.Expect(100);
  EXPECT_GE(numbers.Capacity(), 100u);
  EXPECT_EQ(numbers.Size(), 1u);
  const auto *before = numbers.Data();
  for (int i = 1; i < 100; i++)
    numbers.Push(1);
  EXPECT_EQ(numbers.Data(), before);
  numbers.Expect(10);
  EXPECT_EQ(numbers.Data(), before);
}

TEST(GrowableDeathTest, OutOfBounds) {
  Numbers numbers;
  numbers.Push(1);
  EXPECT_DEATH(numbers[1], "");
  numbers.Pop();
  EXPECT_DEATH(numbers.Back(), "");
  EXPECT_DEATH(numbers.Pop(), "");
}

} // namespace
