//===-- ordinals.h - Clock vectors of seq_cst operations ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each thread, the ordinal (1, 2, ...) of the last of its seq_cst operations
// that is ordered before something. Since a thread's seq_cst operations are in the
// order S as they are in the thread, one number says it for all earlier ones. This
// is the clock vector that section 4.2 of the C11Tester paper has for modification
// order.
//
// Cleared, it keeps its memory.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_ORDINALS_H
#define HEDDLE_MODEL_ORDINALS_H

#include "heddle/choice/types.h"

namespace __heddle {

template <class Policy> class Ordinals {
public:
  Ordinals() = default;
  ~Ordinals() {
    if (data_ != inline_)
      Policy::Free(data_);
  }
  Ordinals(const Ordinals &) = delete;
  Ordinals &operator=(const Ordinals &) = delete;

  u32 Get(u32 thread) const { return thread < size_ ? data_[thread] : 0; }

  // Both return whether anything has changed.
  bool Raise(u32 thread, u32 ordinal) {
    Resize(thread + 1);
    if (data_[thread] >= ordinal)
      return false;
    data_[thread] = ordinal;
    return true;
  }
  bool Join(const Ordinals &other) {
    Resize(other.size_);
    u32 changed[kStep] = {};
    u32 *__restrict data = data_;
    const u32 *__restrict from = other.data_;
    for (u32 i = 0; i < other.size_; i += kStep) {
      for (u32 j = 0; j < kStep; j++) {
        u32 larger = data[i + j] < from[i + j] ? from[i + j] : data[i + j];
        changed[j] |= larger ^ data[i + j];
        data[i + j] = larger;
      }
    }
    return changed[0] | changed[1] | changed[2] | changed[3];
  }

  void Lower(u32 thread, u32 ordinal) {
    if (Get(thread) > ordinal)
      data_[thread] = ordinal;
  }

  // Whether every ordinal of `other` is among these.
  bool Covers(const Ordinals &other) const {
    for (u32 i = 0; i < other.size_; i += kStep)
      if (AnyAbove(other, i))
        return false;
    return true;
  }
  // Calls function(thread, ordinal) for those of `other` that are not, in order. The function may
  // raise these.
  template <class Function> void ForEachAbove(const Ordinals &other, Function function) const {
    for (u32 i = 0; i < other.size_; i += kStep)
      if (AnyAbove(other, i))
        for (u32 j = i; j < i + kStep; j++)
          if (other.data_[j] > Get(j))
            function(j, other.data_[j]);
  }

  u32 size() const { return size_; } // none is above 0 from here on
  void Clear() { size_ = 0; }

private:
  // Sizes are multiples of it, for the sake of vector instructions.
  static constexpr u32 kStep = 4;
  static constexpr u32 kInline = 12;

  // Of the step that begins with `i`.
  bool AnyAbove(const Ordinals &other, u32 i) const {
    u32 above = 0;
    if (i >= size_) {
      for (u32 j = 0; j < kStep; j++)
        above |= other.data_[i + j];
    } else {
      for (u32 j = 0; j < kStep; j++)
        above |= other.data_[i + j] > data_[i + j];
    }
    return above;
  }
  void Resize(u32 size) {
    if (size > size_)
      Extend(size);
  }
  __attribute__((noinline)) void Extend(u32 size) {
    size = (size + kStep - 1) & ~(kStep - 1);
    if (size > capacity_) {
      u32 capacity = 2 * capacity_ > size ? 2 * capacity_ : size;
      u32 *data = static_cast<u32 *>(Policy::Allocate(capacity * sizeof(u32)));
      for (u32 i = 0; i < size_; i++)
        data[i] = data_[i];
      if (data_ != inline_)
        Policy::Free(data_);
      data_ = data;
      capacity_ = capacity;
    }
    for (u32 i = size_; i < size; i++)
      data_[i] = 0;
    size_ = size;
  }

  u32 size_ = 0;
  u32 capacity_ = kInline;
  u32 *data_ = inline_;
  u32 inline_[kInline];
};

} // namespace __heddle

#endif // HEDDLE_MODEL_ORDINALS_H
