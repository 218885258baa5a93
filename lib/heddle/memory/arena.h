//===-- arena.h - A heap for each thread ----------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which addresses a thread's allocations have must not depend on what other threads
// allocate meanwhile: between visible operations they run in parallel, in an order
// that nobody knows. So each has an arena, a range of addresses of its own. What a
// thread frees, it uses again itself, wherever it comes from.
//
// If one thread allocates and another frees, the first would need new memory for ever.
// So a thread that has too much free memory gives it to a pool, and one that has had to
// take new memory looks there: when they have the turn of the schedule, and then
// only. That makes what an arena has at any time a function of the program and its
// schedule, and no allocation ever waits.
//
// An arena is cut into spans of whole units, and a span into chunks of one size class.
// A table tells for each unit which span it is in. Free chunks are in lists whose links
// are apart from them: the program may still write to what it has freed.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MEMORY_ARENA_H
#define HEDDLE_MEMORY_ARENA_H

#include "heddle/memory/size_classes.h"

namespace __heddle {

// The addresses of all arenas, and what is known about them. Both tables begin as zeroes.
class ArenaSpace {
public:
  static constexpr uptr kUnit = 1 << 16;
  static constexpr uptr kLinksPerUnit = kUnit / kSmallestChunk;
  static constexpr uptr UnitTableSize(uptr size) { return size / kUnit * sizeof(u32); }
  static constexpr uptr LinkTableSize(uptr size) {
    return size / kUnit * kLinksPerUnit * sizeof(uptr);
  }

  void Init(uptr begin, uptr size, void *units, void *links) {
    begin_ = begin;
    size_ = size;
    units_ = static_cast<u32 *>(units);
    links_ = static_cast<uptr *>(links);
  }

  uptr begin() const { return begin_; }
  bool Contains(uptr address) const { return address - begin_ < size_; }

  struct Chunk {
    uptr begin; // 0: there is none
    u32 size_class;
    uptr link; // where its link is, in the table
  };
  Chunk Find(uptr address) const {
    const uptr unit = (address - begin_) / kUnit;
    const u32 entry = units_[unit];
    if (!entry)
      return {0, 0, 0};
    const u32 size_class = entry % kSizeClasses;
    const uptr first = unit - (entry / kSizeClasses - 1);
    const uptr span = begin_ + first * kUnit;
    const uptr number = (address - span) / SizeOfClass(size_class);
    return {span + number * SizeOfClass(size_class), size_class, first * kLinksPerUnit + number};
  }

  void Describe(uptr span, uptr size, u32 size_class) {
    const uptr first = (span - begin_) / kUnit;
    for (uptr i = 0; i < size / kUnit; i++)
      units_[first + i] = u32((i + 1) * kSizeClasses + size_class);
  }

  uptr &Link(const Chunk &chunk) { return links_[chunk.link]; }

private:
  uptr begin_, size_;
  u32 *units_; // how far the span's first unit is, plus 1, and the class
  uptr *links_;
};

// Free chunks of a size class, the last one first.
class ChunkList {
public:
  bool Empty() const { return !head_; }
  u32 Count() const { return count_; }

  void Push(ArenaSpace &space, const ArenaSpace::Chunk &chunk) {
    space.Link(chunk) = head_;
    if (!head_)
      tail_ = chunk.begin;
    head_ = chunk.begin;
    count_++;
  }
  uptr Head() const { return head_; }
  uptr Pop(ArenaSpace &space) {
    const uptr chunk = head_;
    head_ = space.Link(space.Find(chunk));
    count_--;
    return chunk;
  }
  // All of another list, which is empty then.
  void Take(ArenaSpace &space, ChunkList &other) {
    if (other.Empty())
      return;
    if (Empty())
      tail_ = other.tail_;
    else
      space.Link(space.Find(other.tail_)) = head_;
    head_ = other.head_;
    count_ += other.count_;
    other = {};
  }

private:
  uptr head_ = 0, tail_ = 0;
  u32 count_ = 0;
};

// A set of size classes.
class ClassSet {
public:
  void Add(u32 size_class) { bits_[size_class / 64] |= Bit(size_class); }
  void Remove(u32 size_class) { bits_[size_class / 64] &= ~Bit(size_class); }
  bool Empty() const { return !(bits_[0] | bits_[1]); }
  void Clear() { bits_[0] = bits_[1] = 0; }
  template <class Visit> void ForEach(Visit visit) const {
    for (u32 word = 0; word < 2; word++)
      for (u64 left = bits_[word]; left; left &= left - 1)
        visit(word * 64 + u32(__builtin_ctzll(left)));
  }

private:
  static u64 Bit(u32 size_class) { return u64(1) << (size_class % 64); }
  static_assert(kSizeClasses == 128);
  u64 bits_[2] = {};
};

// What threads have given away.
struct ChunkPool {
  ChunkList lists[kSizeClasses];
};

class Arena {
public:
  void Init(uptr begin, uptr end) {
    next_ = begin;
    end_ = end;
  }

  // 0 if there is no room. The alignment is a power of two.
  uptr Allocate(ArenaSpace &space, uptr size, uptr alignment) {
    if (size > kLargestChunk || alignment > kLargestChunk)
      return 0;
    u32 size_class = ClassOfSize(size ? size : 1);
    // A chunk is aligned as its size is, up to a unit. All powers of two are sizes.
    if (SizeOfClass(size_class) & (alignment - 1))
      size_class = ClassOfSize(PowerOfTwo(size > alignment ? size : alignment));
    Class &of = classes_[size_class];
    if (of.free.Empty())
      of.free.Take(space, of.surplus);
    if (!of.free.Empty() && !(of.free.Head() & (alignment - 1)))
      return of.free.Pop(space);
    hungry_.Add(size_class);
    return Fresh(space, of, size_class, alignment);
  }

  void Free(ArenaSpace &space, const ArenaSpace::Chunk &chunk) {
    Class &of = classes_[chunk.size_class];
    of.free.Push(space, chunk);
    if (of.free.Count() * SizeOfClass(chunk.size_class) < kKeep)
      return;
    of.surplus.Take(space, of.free);
    giving_.Add(chunk.size_class);
  }

  // With the turn.
  void Exchange(ArenaSpace &space, ChunkPool &pool) {
    if (giving_.Empty() && hungry_.Empty())
      return;
    hungry_.ForEach(
        [&](u32 size_class) { classes_[size_class].free.Take(space, pool.lists[size_class]); });
    giving_.ForEach(
        [&](u32 size_class) { pool.lists[size_class].Take(space, classes_[size_class].surplus); });
    hungry_.Clear();
    giving_.Clear();
  }
  // With the turn too, at the end of the thread.
  void GiveAll(ArenaSpace &space, ChunkPool &pool) {
    for (u32 size_class = 0; size_class < kSizeClasses; size_class++) {
      pool.lists[size_class].Take(space, classes_[size_class].free);
      pool.lists[size_class].Take(space, classes_[size_class].surplus);
    }
    hungry_.Clear();
    giving_.Clear();
  }

private:
  // Bytes of a size class that a thread keeps for itself.
  static constexpr uptr kKeep = 1 << 20;
  static constexpr uptr kSmall = 4096, kChunksOfLarger = 8;

  struct Class {
    ChunkList free, surplus;
    uptr fresh = 0, fresh_end = 0; // of the last span: never used yet
  };

  static uptr PowerOfTwo(uptr size) { return uptr(1) << (64 - __builtin_clzll(size - 1)); }
  static uptr RoundUp(uptr value, uptr to) { return (value + to - 1) & ~(to - 1); }

  static uptr SpanOf(uptr size) {
    if (size <= kSmall)
      return ArenaSpace::kUnit;
    return RoundUp(size < ArenaSpace::kUnit ? size * kChunksOfLarger : size, ArenaSpace::kUnit);
  }

  uptr Fresh(ArenaSpace &space, Class &of, u32 size_class, uptr alignment) {
    const uptr size = SizeOfClass(size_class);
    if (of.fresh + size > of.fresh_end || (of.fresh & (alignment - 1))) {
      const uptr span = SpanOf(size),
                 begin =
                     RoundUp(next_, alignment > ArenaSpace::kUnit ? alignment : ArenaSpace::kUnit);
      if (begin > end_ || span > end_ - begin)
        return 0;
      next_ = begin + span;
      space.Describe(begin, span, size_class);
      of.fresh = begin;
      of.fresh_end = next_;
    }
    const uptr chunk = of.fresh;
    of.fresh += size;
    return chunk;
  }

  uptr next_, end_; // units that belong to no span yet
  Class classes_[kSizeClasses];
  ClassSet hungry_; // has taken new memory
  ClassSet giving_; // has a surplus
};

} // namespace __heddle

#endif // HEDDLE_MEMORY_ARENA_H
