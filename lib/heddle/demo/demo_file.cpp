//===-- demo_file.cpp - Headers and frames, written and checked -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "heddle/demo/demo_file.h"

namespace __heddle {

namespace demo_file {
namespace {

// Little-endian, wherever this runs.
template <class T> u8 *Put(u8 *out, T number) {
  for (uptr i = 0; i < sizeof(T); i++)
    *out++ = u8(number >> 8 * i);
  return out;
}

template <class T> const u8 *Get(const u8 *bytes, T &number) {
  number = 0;
  for (uptr i = 0; i < sizeof(T); i++)
    number |= T(T(*bytes++) << 8 * i);
  return bytes;
}

} // namespace

u32 WriteHeader(DemoStream stream, u64 id, u8 out[kHeaderSize]) {
  u8 *next = out;
  for (u8 byte : kMagic)
    *next++ = byte;
  *next++ = kVersion;
  *next++ = u8(stream);
  next = Put(next, id);
  u32 checksum = Checksum(0, out, uptr(next - out));
  Put(next, checksum);
  return checksum;
}

void WriteFrame(const FrameHead &head, const u8 *payload, u32 seed, u8 out[kFrameSize]) {
  u8 *next = Put(out, head.number);
  next = Put(next, head.until);
  next = Put(next, head.content_size);
  next = Put(next, head.payload_size);
  *next++ = head.flags;
  next = Put(next, Checksum(0, payload, head.payload_size));
  Put(next, Checksum(seed, out, uptr(next - out)));
}

} // namespace demo_file

using namespace demo_file;

// Nothing is allocated for a size that a file of this length cannot have.
static bool HasGoodSizes(const FrameHead &head) {
  if (!(head.flags & kDeflated))
    return head.payload_size == head.content_size && head.content_size <= kMaxContent;
  return head.payload_size < head.content_size && head.content_size <= kMaxContent &&
         head.content_size / kMaxRatio <= head.payload_size;
}

DemoStatus FrameScanner::Open(const u8 *bytes, uptr size, DemoStream stream, u64 id) {
  *this = FrameScanner();
  bytes_ = bytes;
  size_ = size;
  status_ = {CheckHeader(stream, id), 0};
  open_ = status_.Ok();
  next_ = frame_ = kHeaderSize;
  return status_;
}

DemoError FrameScanner::CheckHeader(DemoStream stream, u64 id) {
  for (uptr i = 0; i < sizeof(kMagic) && i < size_; i++)
    if (bytes_[i] != kMagic[i])
      return DemoError::kNotADemo;
  // All that another version need have in common with this one.
  if (size_ > sizeof(kMagic) && bytes_[sizeof(kMagic)] != kVersion)
    return DemoError::kOtherVersion;
  if (size_ < kHeaderSize)
    return DemoError::kTruncated;
  const u8 *next = bytes_ + sizeof(kMagic) + 1;
  u8 found = *next++;
  next = Get(next, id_);
  seed_ = Checksum(0, bytes_, uptr(next - bytes_));
  u32 checksum;
  Get(next, checksum);
  if (checksum != seed_)
    return DemoError::kDamaged;
  if (found != u8(stream))
    return DemoError::kOtherStream;
  if (id_ == 0)
    return DemoError::kBadFrame;
  return id && id != id_ ? DemoError::kOtherDemo : DemoError::kNone;
}

bool FrameScanner::Next(Frame &frame) {
  if (!open_ || !status_.Ok())
    return false;
  if (ended_) {
    if (next_ != size_)
      status_ = {DemoError::kTrailingBytes, next_};
    return false;
  }
  DemoError error = CheckFrame(frame);
  if (error != DemoError::kNone) {
    status_ = {error, next_};
    return false;
  }
  frame_ = next_;
  next_ += kFrameSize + frame.head.payload_size;
  until_ = frame.head.until;
  number_++;
  ended_ = frame.Last();
  return true;
}

DemoError FrameScanner::CheckFrame(Frame &frame) {
  if (size_ - next_ < kFrameSize)
    return DemoError::kTruncated;
  FrameHead &head = frame.head;
  const u8 *bytes = bytes_ + next_;
  const u8 *next = Get(bytes, head.number);
  next = Get(next, head.until);
  next = Get(next, head.content_size);
  next = Get(next, head.payload_size);
  head.flags = *next++;
  u32 payload_checksum, checksum;
  next = Get(next, payload_checksum);
  Get(next, checksum);
  if (checksum != Checksum(seed_, bytes, uptr(next - bytes)))
    return DemoError::kDamaged;
  if (head.number != number_)
    return DemoError::kMissingFrame;
  if (head.flags > (kLast | kDeflated) || head.until < until_ || !HasGoodSizes(head))
    return DemoError::kBadFrame;
  if (size_ - next_ - kFrameSize < head.payload_size)
    return DemoError::kTruncated;
  frame.payload = bytes + kFrameSize;
  return Checksum(0, frame.payload, head.payload_size) == payload_checksum ? DemoError::kNone
                                                                           : DemoError::kDamaged;
}

} // namespace __heddle
