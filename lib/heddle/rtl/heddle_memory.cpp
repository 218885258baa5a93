//===-- heddle_memory.cpp -------------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A free list for each size class. A block has its class in front of it.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_memory.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_mutex.h"

using namespace __sanitizer;

namespace __heddle {
namespace {

struct Block {
  union {
    struct {
      uptr size_class;
      uptr mapped; // of a block that has a mapping to itself
    };
    Block *next;
  };
};
constexpr uptr kHeader = 16;
static_assert(sizeof(Block) == kHeader);

// Steps of 32 bytes up to 1024, then powers of two.
constexpr uptr kStep = 32, kSmall = 1024, kSmallClasses = kSmall / kStep;
constexpr uptr kClasses = kSmallClasses + 6, kLarge = ~uptr(0);
constexpr uptr kChunk = 1 << 18;

struct SizeClass {
  StaticSpinMutex mutex;
  Block *free;
  char *fresh, *fresh_end; // never used yet
};
SizeClass classes[kClasses];

uptr ClassOf(uptr bytes) {
  if (bytes <= kSmall)
    return (bytes + kStep - 1) / kStep - 1;
  uptr c = kSmallClasses;
  for (uptr size = 2 * kSmall; size < bytes; size *= 2)
    c++;
  return c < kClasses ? c : kLarge;
}
uptr SizeOf(uptr c) {
  return c < kSmallClasses ? (c + 1) * kStep : kSmall << (c - kSmallClasses + 1);
}

} // namespace

void *AllocateRecord(uptr bytes) {
  bytes += kHeader;
  const uptr c = ClassOf(bytes);
  Block *block;
  if (UNLIKELY(c == kLarge)) {
    block = static_cast<Block *>(MmapOrDie(bytes, "HeddleRecord"));
    block->mapped = bytes;
  } else {
    SizeClass &cls = classes[c];
    SpinMutexLock lock(&cls.mutex);
    block = cls.free;
    if (LIKELY(block)) {
      cls.free = block->next;
    } else {
      const uptr size = SizeOf(c);
      if (cls.fresh + size > cls.fresh_end) {
        cls.fresh = static_cast<char *>(MmapOrDie(kChunk, "HeddleRecords"));
        cls.fresh_end = cls.fresh + kChunk;
      }
      block = reinterpret_cast<Block *>(cls.fresh);
      cls.fresh += size;
    }
  }
  block->size_class = c;
  return block + 1;
}

void FreeRecord(void *record) {
  if (!record)
    return;
  Block *block = static_cast<Block *>(record) - 1;
  const uptr c = block->size_class;
  if (UNLIKELY(c == kLarge))
    return UnmapOrDie(block, block->mapped);
  SpinMutexLock lock(&classes[c].mutex);
  block->next = classes[c].free;
  classes[c].free = block;
}

} // namespace __heddle
