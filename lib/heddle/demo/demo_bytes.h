//===-- demo_bytes.h - Numbers as bytes, and back -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers are LEB128, as in choice_log.h: seven bits a byte, the low ones first,
// the top bit set in all bytes but the last. A number has one encoding: one that
// could be shorter is malformed. Signed numbers are folded first, 0 -1 1 -2 ...,
// so that those near 0 are short.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_DEMO_DEMO_BYTES_H
#define HEDDLE_DEMO_DEMO_BYTES_H

#include "heddle/choice/growable.h"
#include "heddle/choice/types.h"

namespace __heddle {

// Bytes that someone else owns.
struct ByteSpan {
  const u8 *data = nullptr;
  uptr size = 0;
};

constexpr u64 Fold(s64 number) { return u64(number) << 1 ^ u64(number >> 63); }
constexpr s64 Unfold(u64 folded) { return s64(folded >> 1 ^ (0 - (folded & 1))); }

template <class Memory> void PushNumber(Growable<u8, Memory> &bytes, u64 number) {
  for (; number >= 0x80; number >>= 7)
    bytes.Push(u8(number | 0x80));
  bytes.Push(u8(number));
}

template <class Memory> void PushSigned(Growable<u8, Memory> &bytes, s64 number) {
  PushNumber(bytes, Fold(number));
}

// Adds 1 to the number that begins at `offset` and ends the bytes.
template <class Memory> void CountUp(Growable<u8, Memory> &bytes, uptr offset) {
  for (;; offset++) {
    bool last = bytes[offset] < 0x80;
    u32 digits = (bytes[offset] & 0x7f) + 1;
    if (digits < 0x80) {
      bytes[offset]++;
      return;
    }
    bytes[offset] = 0x80; // 0, and one carried over
    if (last)
      return bytes.Push(1);
  }
}

// Takes bytes apart. After the first thing that is not there or is malformed it
// gives nothing but zeroes, so that a decoder can ask once at the end of an entry.
class ByteReader {
public:
  ByteReader(const u8 *bytes, uptr size) : begin_(bytes), next_(bytes), end_(bytes + size) {}

  bool Ok() const { return ok_; }
  bool AtEnd() const { return next_ == end_; }
  uptr Offset() const { return uptr(next_ - begin_); }

  void Fail() {
    ok_ = false;
    next_ = end_;
  }

  u8 Byte() {
    if (AtEnd()) {
      Fail();
      return 0;
    }
    return *next_++;
  }

  // At most `most`.
  u64 Number(u64 most = ~u64(0)) {
    u64 number = 0;
    for (u32 shift = 0; shift <= 63; shift += 7) {
      u8 byte = Byte();
      u64 digits = byte & 0x7f;
      if (!ok_ || digits << shift >> shift != digits)
        break; // the end, or more than 64 bits
      number |= digits << shift;
      if (byte < 0x80) {
        if ((digits == 0 && shift != 0) || number > most)
          break;
        return number;
      }
    }
    Fail();
    return 0;
  }

  s64 Signed() { return Unfold(Number()); }

  // A number of bytes, at most `most`, and those bytes.
  ByteSpan Bytes(uptr most) {
    uptr size = uptr(Number(most));
    if (size > uptr(end_ - next_))
      Fail();
    if (!ok_)
      return {};
    next_ += size;
    return {next_ - size, size};
  }

private:
  const u8 *begin_;
  const u8 *next_;
  const u8 *end_;
  bool ok_ = true;
};

} // namespace __heddle

#endif // HEDDLE_DEMO_DEMO_BYTES_H
