//===-- growable.h - An array that grows, over any allocator --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one container of the layers that have no library. Where its memory comes
// from is the Memory policy's:
//   static void *Alloc(uptr bytes)            never null, aligned for any T
//   static void Free(void *block, uptr bytes)
//
// Elements are trivially copyable: they are moved by assignment and need no
// destructor. An empty array holds no memory and is constant-initialised, but a
// global one would need a destructor at exit; let its owner live in storage
// that the runtime constructs itself.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_GROWABLE_H
#define HEDDLE_CHOICE_GROWABLE_H

#include "heddle/choice/check.h"
#include "heddle/choice/types.h"

namespace __heddle {

template <class T, class Memory> class Growable {
  static_assert(__is_trivially_copyable(T), "elements are moved by assignment, never destroyed");

public:
  constexpr Growable() = default;
  ~Growable() { Release(); }
  Growable(const Growable &) = delete;
  Growable &operator=(const Growable &) = delete;

  uptr Size() const { return size_; }
  bool Empty() const { return size_ == 0; }
  uptr Capacity() const { return capacity_; } // that there is memory for
  const T *Data() const { return data_; }

  T &operator[](uptr i) {
    Require(i < size_);
    return data_[i];
  }
  const T &operator[](uptr i) const {
    Require(i < size_);
    return data_[i];
  }
  T &Back() { return (*this)[size_ - 1]; }
  const T &Back() const { return (*this)[size_ - 1]; }

  // By value: `value` may be an element of this array, which may move.
  void Push(T value) {
    if (__builtin_expect(size_ == capacity_, 0))
      Reserve(size_ + 1);
    data_[size_++] = value;
  }

  // `values` are not elements of this array.
  void Append(const T *values, uptr count) {
    Reserve(size_ + count);
    for (uptr i = 0; i < count; i++)
      data_[size_ + i] = values[i];
    size_ += count;
  }

  // `count` more elements, of any value: the first of them, to be filled.
  T *Extend(uptr count) {
    Reserve(size_ + count);
    size_ += count;
    return data_ + size_ - count;
  }

  void Pop() {
    Require(size_ != 0);
    size_--;
  }

  // Keeps the first `size` elements, and the memory.
  void Truncate(uptr size) {
    if (size < size_)
      size_ = size;
  }

  void Clear() { size_ = 0; }

  // Memory for so many elements in all, so that they will not have to move.
  void Expect(uptr count) { Reserve(count); }

  void Assign(const Growable &other) {
    if (this == &other)
      return;
    Clear();
    Append(other.data_, other.size_);
  }

  void Swap(Growable &other) {
    Exchange(data_, other.data_);
    Exchange(size_, other.size_);
    Exchange(capacity_, other.capacity_);
  }

  // Becomes empty and holds no memory.
  void Release() {
    if (data_)
      Memory::Free(data_, capacity_ * sizeof(T));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

private:
  static constexpr uptr kFirstBytes = 64;
  static constexpr uptr kMost = ~uptr(0) / 2 / sizeof(T);

  template <class U> static void Exchange(U &a, U &b) {
    U old = a;
    a = b;
    b = old;
  }

  __attribute__((noinline)) void Reserve(uptr wanted) {
    if (wanted <= capacity_)
      return;
    Require(wanted <= kMost);
    uptr capacity = capacity_ ? 2 * capacity_ : (kFirstBytes + sizeof(T) - 1) / sizeof(T);
    if (capacity < wanted)
      capacity = wanted;
    T *data = static_cast<T *>(Memory::Alloc(capacity * sizeof(T)));
    for (uptr i = 0; i < size_; i++)
      data[i] = data_[i];
    if (data_)
      Memory::Free(data_, capacity_ * sizeof(T));
    data_ = data;
    capacity_ = capacity;
  }

  T *data_ = nullptr;
  uptr size_ = 0;
  uptr capacity_ = 0;
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_GROWABLE_H
