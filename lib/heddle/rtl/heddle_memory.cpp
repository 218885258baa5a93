//===-- heddle_memory.cpp -------------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A free list for each size class. Blocks of a class come from chunks, and a chunk has
// the class at its beginning: a block has nothing in front of it.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_memory.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_mutex.h"

using namespace __sanitizer;

namespace __heddle {
namespace {

constexpr uptr kChunk = 1 << 18;

// Aligned to its size; a larger one has a single block.
struct alignas(16) Chunk {
  uptr size_class;
  uptr bytes;

  static Chunk *Of(void *record) {
    return reinterpret_cast<Chunk *>(reinterpret_cast<uptr>(record) & ~(kChunk - 1));
  }
  static Chunk *New(uptr size_class, uptr bytes) {
    bytes = RoundUpToPowerOfTwo(bytes);
    auto *chunk =
        static_cast<Chunk *>(MmapAlignedOrDieOnFatalError(bytes, kChunk, "HeddleRecords"));
    if (!chunk)
      ReportMmapFailureAndDie(bytes, "HeddleRecords", "allocate", 0);
    *chunk = {size_class, bytes};
    return chunk;
  }
};

struct Block {
  Block *next;
};

// Steps of 16 bytes up to 1024, then powers of two.
constexpr uptr kStep = 16, kSmall = 1024, kSmallClasses = kSmall / kStep;
constexpr uptr kClasses = kSmallClasses + 6, kLarge = ~uptr(0);

struct SizeClass {
  StaticSpinMutex mutex;
  Block *free;
  char *fresh, *fresh_end; // never used yet
};
SizeClass classes[kClasses];

uptr ClassOf(uptr bytes) {
  if (bytes <= kSmall)
    return bytes ? (bytes - 1) / kStep : 0;
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
  const uptr c = ClassOf(bytes);
  if (UNLIKELY(c == kLarge))
    return Chunk::New(kLarge, sizeof(Chunk) + bytes) + 1;
  SizeClass &cls = classes[c];
  SpinMutexLock lock(&cls.mutex);
  if (Block *block = cls.free; LIKELY(block)) {
    cls.free = block->next;
    return block;
  }
  const uptr size = SizeOf(c);
  if (cls.fresh + size > cls.fresh_end) {
    Chunk *chunk = Chunk::New(c, kChunk);
    cls.fresh = reinterpret_cast<char *>(chunk + 1);
    cls.fresh_end = reinterpret_cast<char *>(chunk) + kChunk;
  }
  void *record = cls.fresh;
  cls.fresh += size;
  return record;
}

void FreeRecord(void *record) {
  if (!record)
    return;
  Chunk *chunk = Chunk::Of(record);
  const uptr c = chunk->size_class;
  if (UNLIKELY(c == kLarge))
    return UnmapOrDie(chunk, chunk->bytes);
  Block *block = static_cast<Block *>(record);
  SpinMutexLock lock(&classes[c].mutex);
  block->next = classes[c].free;
  classes[c].free = block;
}

} // namespace __heddle
