//===-- demo_meta.h - What was recorded, in words -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The content of META: lines of text, so that anyone can read it once it is unpacked,
// and so that a later version can add to it.
//
//     key value
//
// A key is of a-z, 0-9, '_', '-' and '.', at most kMaxMetaKey of them. A key may come
// more than once: arguments do, in their order. A value is any bytes, also none. In
// the text a backslash is \\, a newline \n, any other control character \x and
// two digits, 0-9 a-f; everything else stands for itself. A value has exactly one such
// text.
//
// Text from outside is checked in full by Open(); what is read after that is known to
// be well-formed.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_DEMO_DEMO_META_H
#define HEDDLE_DEMO_DEMO_META_H

#include "heddle/choice/check.h"
#include "heddle/choice/growable.h"
#include "heddle/choice/text.h"
#include "heddle/demo/demo_bytes.h"
#include "heddle/demo/demo_status.h"

namespace __heddle {

constexpr uptr kMaxMetaKey = 64;

namespace demo_meta {
constexpr char kHexDigits[] = "0123456789abcdef";

constexpr bool IsKeyByte(u8 c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
}
constexpr bool IsControl(u8 c) { return c < 0x20 || c == 0x7f; }

// Of a terminated text.
constexpr uptr LengthOf(const char *text) {
  uptr length = 0;
  while (text[length])
    length++;
  return length;
}
} // namespace demo_meta

// Appends lines to the bytes that are pending for a frame of META.
template <class Memory> class MetaWriter {
public:
  explicit MetaWriter(Growable<u8, Memory> &bytes) : bytes_(bytes) {}

  void Add(const char *key, const void *value, uptr size) {
    PushKey(key);
    for (uptr i = 0; i < size; i++)
      PushEscaped(static_cast<const u8 *>(value)[i]);
    bytes_.Push('\n');
  }
  void Add(const char *key, const char *text) { Add(key, text, demo_meta::LengthOf(text)); }
  void Add(const char *key, u64 number) {
    char text[24];
    TextWriter writer(text, sizeof(text));
    writer << number;
    Add(key, text, writer.Length());
  }

private:
  void PushKey(const char *key) {
    uptr length = demo_meta::LengthOf(key);
    Require(length >= 1 && length <= kMaxMetaKey);
    for (uptr i = 0; i < length; i++) {
      Require(demo_meta::IsKeyByte(u8(key[i])));
      bytes_.Push(u8(key[i]));
    }
    bytes_.Push(' ');
  }

  void PushEscaped(u8 c) {
    using namespace demo_meta;
    if (c != '\\' && !IsControl(c))
      return bytes_.Push(c);
    bytes_.Push('\\');
    if (c == '\\')
      return bytes_.Push('\\');
    if (c == '\n')
      return bytes_.Push('n');
    bytes_.Push('x');
    bytes_.Push(u8(kHexDigits[c >> 4]));
    bytes_.Push(u8(kHexDigits[c & 15]));
  }

  Growable<u8, Memory> &bytes_;
};

// A value as it stands in the text.
class MetaValue {
public:
  MetaValue() = default;
  explicit MetaValue(ByteSpan text) : text_(text) {}

  // Copies the value, terminated and cut to `capacity`; returns the length of all of
  // it, without the terminator. It may have zeroes of its own.
  uptr CopyTo(char *buffer, uptr capacity) const;

  bool operator==(const char *text) const;

  // False if the value is no decimal number below 2^64.
  bool Number(u64 &number) const;

private:
  ByteSpan text_;
};

class MetaReader {
public:
  struct Line {
    ByteSpan key;
    MetaValue value;

    bool Is(const char *name) const;
  };

  // Checks the text, which outlives the reader. After an error the reader has no lines.
  DemoStatus Open(ByteSpan text);

  // The line after `line`, or the first if `line` is none; false at the end.
  bool Next(Line &line) const;

  // The first value of a key; false if there is none.
  bool Find(const char *key, MetaValue &value) const;
  bool Find(const char *key, u64 &number) const;

private:
  ByteSpan text_;
};

} // namespace __heddle

#endif // HEDDLE_DEMO_DEMO_META_H
