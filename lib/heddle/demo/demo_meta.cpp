//===-- demo_meta.cpp - Reading META --------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "heddle/demo/demo_meta.h"

namespace __heddle {
namespace {
using namespace demo_meta;

// 16 if it is no digit.
u32 HexValue(u8 c) {
  for (u32 value = 0; value < 16; value++)
    if (u8(kHexDigits[value]) == c)
      return value;
  return 16;
}

// Takes one byte of a value from the front of its text; false if there is none, or it
// is malformed.
bool TakeByte(ByteSpan &text, u8 &byte) {
  if (text.size == 0)
    return false;
  byte = text.data[0];
  uptr length = 1;
  if (byte == '\\') {
    if (text.size < 2)
      return false;
    if (text.data[1] == '\\') {
      length = 2;
    } else if (text.data[1] == 'n') {
      byte = '\n';
      length = 2;
    } else {
      if (text.size < 4 || text.data[1] != 'x')
        return false;
      u32 high = HexValue(text.data[2]), low = HexValue(text.data[3]);
      byte = u8(high << 4 | low);
      if (high == 16 || low == 16 || !IsControl(byte) || byte == '\n')
        return false;
      length = 4;
    }
  } else if (IsControl(byte)) {
    return false;
  }
  text = {text.data + length, text.size - length};
  return true;
}

// Up to the first `end`; all of it if there is none.
ByteSpan UpTo(ByteSpan text, u8 end) {
  uptr size = 0;
  while (size < text.size && text.data[size] != end)
    size++;
  return {text.data, size};
}

bool IsGoodLine(ByteSpan line) {
  ByteSpan key = UpTo(line, ' ');
  if (key.size == 0 || key.size > kMaxMetaKey || key.size == line.size)
    return false;
  for (uptr i = 0; i < key.size; i++)
    if (!IsKeyByte(key.data[i]))
      return false;
  ByteSpan value = {key.data + key.size + 1, line.size - key.size - 1};
  u8 byte;
  while (TakeByte(value, byte)) {
  }
  return value.size == 0;
}

} // namespace

uptr MetaValue::CopyTo(char *buffer, uptr capacity) const {
  TextWriter writer(buffer, capacity);
  ByteSpan text = text_;
  for (u8 byte; TakeByte(text, byte);)
    writer << char(byte);
  return writer.Length();
}

bool MetaValue::operator==(const char *expected) const {
  ByteSpan text = text_;
  for (u8 byte; TakeByte(text, byte); expected++)
    if (!*expected || u8(*expected) != byte)
      return false;
  return !*expected;
}

bool MetaValue::Number(u64 &number) const {
  u64 read = 0;
  for (uptr i = 0; i < text_.size; i++) {
    u8 c = text_.data[i];
    if (c < '0' || c > '9' || __builtin_mul_overflow(read, u64(10), &read) ||
        __builtin_add_overflow(read, u64(c - '0'), &read))
      return false;
  }
  if (text_.size == 0)
    return false;
  number = read;
  return true;
}

bool MetaReader::Line::Is(const char *name) const {
  uptr i = 0;
  for (; i < key.size && name[i] && u8(name[i]) == key.data[i]; i++) {
  }
  return i == key.size && !name[i];
}

DemoStatus MetaReader::Open(ByteSpan text) {
  text_ = {};
  for (uptr offset = 0; offset < text.size;) {
    ByteSpan rest = {text.data + offset, text.size - offset};
    ByteSpan line = UpTo(rest, '\n');
    if (line.size == rest.size || !IsGoodLine(line))
      return {DemoError::kBadMeta, offset};
    offset += line.size + 1;
  }
  text_ = text;
  return {};
}

bool MetaReader::Next(Line &line) const {
  const u8 *end = text_.data + text_.size;
  const u8 *start = text_.data;
  if (line.key.data)
    start = line.key.data + UpTo({line.key.data, uptr(end - line.key.data)}, '\n').size + 1;
  if (start == end)
    return false;
  ByteSpan rest = UpTo({start, uptr(end - start)}, '\n');
  line.key = UpTo(rest, ' ');
  line.value = MetaValue({start + line.key.size + 1, rest.size - line.key.size - 1});
  return true;
}

bool MetaReader::Find(const char *key, MetaValue &value) const {
  for (Line line; Next(line);) {
    if (line.Is(key)) {
      value = line.value;
      return true;
    }
  }
  return false;
}

bool MetaReader::Find(const char *key, u64 &number) const {
  MetaValue value;
  return Find(key, value) && value.Number(number);
}

} // namespace __heddle
