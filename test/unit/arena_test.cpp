//===-- arena_test.cpp ----------------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/memory/arena.h"

#include "gtest/gtest.h"

#include <map>
#include <memory>
#include <random>
#include <vector>

namespace __heddle {
namespace {

// Nothing is ever written to chunks, so there need be no memory.
constexpr uptr kBegin = uptr(1) << 44, kArenaSize = uptr(1) << 24;
constexpr u32 kArenas = 4;
constexpr uptr kSize = kArenas * kArenaSize;

class ArenaTest : public ::testing::Test {
protected:
  ArenaTest()
      : units_(ArenaSpace::UnitTableSize(kSize) / sizeof(u32)),
        links_(ArenaSpace::LinkTableSize(kSize) / sizeof(uptr)), pool_(new ChunkPool) {
    space_.Init(kBegin, kSize, units_.data(), links_.data());
    for (u32 i = 0; i < kArenas; i++) {
      arenas_.emplace_back(new Arena);
      arenas_[i]->Init(kBegin + i * kArenaSize, kBegin + (i + 1) * kArenaSize);
    }
  }

  uptr Allocate(u32 arena, uptr size, uptr alignment = 16) {
    return arenas_[arena]->Allocate(space_, size, alignment);
  }
  void Free(u32 arena, uptr chunk) { arenas_[arena]->Free(space_, space_.Find(chunk)); }
  void Exchange(u32 arena) { arenas_[arena]->Exchange(space_, *pool_); }
  u32 OwnerOf(uptr chunk) const { return u32((chunk - kBegin) / kArenaSize); }

  std::vector<u32> units_;
  std::vector<uptr> links_;
  ArenaSpace space_;
  std::unique_ptr<ChunkPool> pool_;
  std::vector<std::unique_ptr<Arena>> arenas_;
};

TEST(SizeClassesTest, EachSizeHasTheSmallestClassWithRoomForIt) {
  for (u32 size_class = 0; size_class < kSizeClasses; size_class++) {
    const uptr size = SizeOfClass(size_class);
    EXPECT_EQ(size % kSmallestChunk, 0u);
    EXPECT_EQ(ClassOfSize(size), size_class);
    if (size_class + 1 < kSizeClasses) {
      EXPECT_EQ(ClassOfSize(size + 1), size_class + 1);
    }
  }
  EXPECT_EQ(ClassOfSize(1), 0u);
  EXPECT_EQ(kLargestChunk, uptr(1) << 37);
}

TEST_F(ArenaTest, ChunksDoNotOverlapAndAreFound) {
  std::mt19937 random(1);
  std::map<uptr, uptr> chunks; // their ends
  for (int i = 0; i < 20000; i++) {
    if (random() % 3 == 0 && !chunks.empty()) {
      auto chunk = chunks.lower_bound(kBegin + random() % kArenaSize);
      if (chunk == chunks.end())
        continue;
      Free(random() % 2, chunk->first);
      chunks.erase(chunk);
      continue;
    }
    const uptr alignment = uptr(16) << random() % 14;
    const uptr size = random() % (uptr(1) << random() % 18);
    const uptr chunk = Allocate(0, size, alignment);
    if (!chunk)
      continue; // full
    EXPECT_EQ(chunk % alignment, 0u);
    auto next = chunks.lower_bound(chunk);
    if (next != chunks.end()) {
      ASSERT_LE(chunk + size, next->first);
    }
    if (next != chunks.begin()) {
      ASSERT_LE(std::prev(next)->second, chunk);
    }
    chunks[chunk] = chunk + (size ? size : 1);
    EXPECT_EQ(space_.Find(chunk).begin, chunk);
    EXPECT_EQ(space_.Find(chunk + (size ? size - 1 : 0)).begin, chunk);
  }
  EXPECT_EQ(space_.Find(kBegin + 3 * kArenaSize).begin, 0u);
}

TEST_F(ArenaTest, WhoFreesUsesAgain) {
  const uptr of_first = Allocate(0, 100), of_second = Allocate(1, 100);
  EXPECT_EQ(OwnerOf(of_first), 0u);
  EXPECT_EQ(OwnerOf(of_second), 1u);
  Free(1, of_first);
  EXPECT_NE(Allocate(0, 100), of_first);
  EXPECT_EQ(Allocate(1, 100), of_first);
}

TEST_F(ArenaTest, AlignmentBeyondAUnit) {
  const uptr small = Allocate(0, 100, 1 << 20), large = Allocate(0, 1 << 20, 1 << 21);
  EXPECT_EQ(small % (1 << 20), 0u);
  EXPECT_EQ(large % (1 << 21), 0u);
  Free(0, large);
  Free(0, small);
  EXPECT_EQ(Allocate(0, 1 << 20, 1 << 20) % (1 << 20), 0u);
}

TEST_F(ArenaTest, AFullArenaHasNothing) {
  EXPECT_EQ(Allocate(0, kArenaSize + 1), 0u);
  const uptr all = Allocate(0, kArenaSize);
  EXPECT_EQ(all, kBegin);
  EXPECT_EQ(Allocate(0, 1), 0u);
  EXPECT_NE(Allocate(1, 1), 0u);
  EXPECT_EQ(Allocate(1, ~uptr(0)), 0u);
}

// One thread allocates, the other frees: without an exchange the first would run out.
TEST_F(ArenaTest, MemoryComesBackThroughThePool) {
  for (uptr size : {32, 1000, 20000, 300000})
    for (uptr total = 0; total < 4 * kArenaSize; total += size) {
      const uptr chunk = Allocate(0, size);
      ASSERT_NE(chunk, 0u) << size << " " << total;
      Free(1, chunk);
      Exchange(1);
      Exchange(0);
    }
}

TEST_F(ArenaTest, ExchangeIsOnlyOfWhatThereIsTooMuchOf) {
  const uptr chunk = Allocate(0, 64);
  Free(1, chunk);
  Exchange(1);
  Exchange(0);
  EXPECT_NE(Allocate(0, 64), chunk);
  arenas_[1]->GiveAll(space_, *pool_);
  Exchange(0);
  EXPECT_EQ(Allocate(0, 64), chunk);
}

} // namespace
} // namespace __heddle
