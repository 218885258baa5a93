//===-- text.h - Text into a caller's buffer ------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the layers without a library say to people goes into a buffer of the
// caller's, as with snprintf: always terminated, cut where it is full, and the
// whole length is known afterwards, so that the caller can come back with more.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_TEXT_H
#define HEDDLE_CHOICE_TEXT_H

#include "heddle/choice/types.h"

namespace __heddle {

class TextWriter {
public:
  TextWriter(char *buffer, uptr capacity) : buffer_(buffer), capacity_(capacity) { Terminate(); }

  TextWriter &operator<<(char c) {
    if (length_ + 1 < capacity_)
      buffer_[length_] = c;
    length_++;
    Terminate();
    return *this;
  }

  TextWriter &operator<<(const char *text) {
    while (*text)
      *this << *text++;
    return *this;
  }

  TextWriter &operator<<(u64 number) {
    if (number >= 10)
      *this << number / 10;
    return *this << char('0' + number % 10);
  }
  TextWriter &operator<<(u32 number) { return *this << u64(number); }

  // Of the whole text without the terminator, whether it fitted or not.
  uptr Length() const { return length_; }

private:
  void Terminate() {
    if (capacity_)
      buffer_[length_ < capacity_ ? length_ : capacity_ - 1] = '\0';
  }

  char *buffer_;
  uptr capacity_;
  uptr length_ = 0;
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_TEXT_H
