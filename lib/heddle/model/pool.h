//===-- pool.h - Records of one kind ---------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records come from chunks, aligned to cache lines: what an operation costs is
// mostly how many of those it touches. A record that is given back stays as it
// is, with the memory it holds, until it is handed out again, so that a history
// of a steady length allocates nothing.
//
// T::next_free must be a pointer to T that a free record does not use.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_POOL_H
#define HEDDLE_MODEL_POOL_H

#include "heddle/choice/types.h"
#include "heddle/model/placed.h"

namespace __heddle {

template <class T, class Policy> class Pool {
public:
  Pool() = default;
  ~Pool() {
    while (Chunk *chunk = chunks_) {
      chunks_ = chunk->next;
      for (u32 i = 0; i < chunk->used; i++)
        Records(chunk)[i].~T();
      Policy::Free(chunk);
    }
  }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  T *New() {
    if (T *record = free_) {
      free_ = record->next_free;
      return record;
    }
    if (!chunks_ || chunks_->used == chunks_->size)
      AddChunk();
    return new (Placed{Records(chunks_) + chunks_->used++}) T();
  }
  void Free(T *record) {
    record->next_free = free_;
    free_ = record;
  }

private:
  struct Chunk {
    Chunk *next;
    u32 size, used;
  };
  static constexpr uptr kLine = 64;
  static constexpr u32 kLargest = 64; // records in a chunk

  static T *Records(Chunk *chunk) {
    return reinterpret_cast<T *>((reinterpret_cast<uptr>(chunk + 1) + kLine - 1) & ~(kLine - 1));
  }
  void AddChunk() {
    u32 size = !chunks_ ? 4 : chunks_->size < kLargest ? 2 * chunks_->size : kLargest;
    auto *chunk = static_cast<Chunk *>(Policy::Allocate(sizeof(Chunk) + kLine + size * sizeof(T)));
    *chunk = {chunks_, size, 0};
    chunks_ = chunk;
  }

  Chunk *chunks_ = nullptr;
  T *free_ = nullptr;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_POOL_H
