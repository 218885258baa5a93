//===-- queue.h - A queue without a library --------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the engines keep their histories in. Elements are plain data: they are
// moved by copying bytes, and nothing is constructed or destroyed.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_QUEUE_H
#define HEDDLE_MODEL_QUEUE_H

#include "heddle/choice/types.h"

namespace __heddle {

// Room for the first elements of a queue in the queue itself.
template <class T, u32 kInline> struct QueueRoom {
  T *Room() { return reinterpret_cast<T *>(bytes); }
  alignas(T) unsigned char bytes[kInline * sizeof(T)];
};
template <class T> struct QueueRoom<T, 0> {
  T *Room() { return nullptr; }
};

// A queue that grows at its back and shrinks at its front, with an index.
// kInline, a power of two or 0: as many elements need no memory of their own.
template <class T, class Policy, u32 kInline = 0> class Queue : QueueRoom<T, kInline> {
public:
  Queue() = default;
  ~Queue() {
    if (data_ != this->Room())
      Policy::Free(data_);
  }
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;

  u32 size() const { return size_; }
  bool full() const { return size_ == capacity_; } // it grows with the next element
  bool empty() const { return !size_; }
  T &operator[](u32 i) { return data_[(first_ + i) & (capacity_ - 1)]; }
  const T &operator[](u32 i) const { return data_[(first_ + i) & (capacity_ - 1)]; }
  T &Back() { return (*this)[size_ - 1]; }
  const T &Back() const { return (*this)[size_ - 1]; }

  void PushBack(const T &value) { PushBack() = value; }
  // An element that is yet to be written.
  T &PushBack() {
    if (full())
      Grow();
    return data_[(first_ + size_++) & (capacity_ - 1)];
  }
  void PopFront(u32 count = 1) {
    first_ = (first_ + count) & (capacity_ - 1);
    size_ -= count;
  }
  void PopBack() { size_--; }
  // Before element `i`, which moves up with all that follow it.
  void Insert(u32 i, const T &value) {
    PushBack();
    for (u32 j = size_ - 1; j > i; j--)
      (*this)[j] = (*this)[j - 1];
    (*this)[i] = value;
  }
  void Truncate(u32 size) { size_ = size; } // at most what it was
  void Clear() { size_ = 0; }

  // Makes room for as many again.
  void Grow() { Move(capacity_ ? 2 * capacity_ : 4); }
  // Gives up room for more than that.
  void Fit() {
    u32 capacity = 4;
    while (capacity < 2 * size_)
      capacity *= 2;
    if (capacity < capacity_ && capacity > kInline)
      Move(capacity);
  }

private:
  void Move(u32 capacity) { // a power of two
    T *data = static_cast<T *>(Policy::Allocate(capacity * sizeof(T)));
    for (u32 i = 0; i < size_; i++)
      data[i] = (*this)[i];
    if (data_ != this->Room())
      Policy::Free(data_);
    data_ = data;
    capacity_ = capacity;
    first_ = 0;
  }

  T *data_ = this->Room();
  u32 first_ = 0;
  u32 size_ = 0;
  u32 capacity_ = kInline;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_QUEUE_H
