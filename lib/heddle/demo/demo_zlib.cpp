//===-- demo_zlib.cpp - demo_codec.h over zlib ----------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the runtime, the functions used here have other names and are hidden
// (cmake/Zlib.cmake), so that a program's own zlib and this one do not meet.
//
//===----------------------------------------------------------------------===//
#include "heddle/demo/demo_codec.h"

#include "heddle/choice/check.h"

#define ZLIB_CONST
#include <zlib.h>

namespace __heddle {
namespace {

// Frames are about as long as the window, so a smaller one would be felt.
constexpr int kWindowBits = 15;
constexpr int kMemoryLevel = 8;
// The program waits meanwhile. The default, 6, makes the input of a server 7 % smaller in
// 1.7 times the time, and a random order of threads no smaller in 6 times the time.
constexpr int kLevel = 4;
constexpr int kRaw = -1; // times the window: no header and checksum of zlib's

// zlib's allocations, one behind the other in the caller's block. Nothing is
// given back: the block is forgotten as a whole.
struct Arena {
  u8 *next;
  uptr left;
};

voidpf Allocate(voidpf opaque, uInt items, uInt size) {
  Arena *arena = static_cast<Arena *>(opaque);
  uptr bytes = (uptr(items) * size + 15) & ~uptr(15);
  if (bytes > arena->left)
    return nullptr;
  u8 *block = arena->next;
  arena->next += bytes;
  arena->left -= bytes;
  return block;
}

void Free(voidpf, voidpf) {}

z_stream StreamIn(Arena &arena) {
  z_stream stream;
  stream.next_in = nullptr;
  stream.avail_in = 0;
  stream.zalloc = Allocate;
  stream.zfree = Free;
  stream.opaque = &arena;
  return stream;
}

void Give(z_stream &stream, const u8 *bytes, uptr size, u8 *out, uptr capacity) {
  Require(size <= ~uInt(0) && capacity <= ~uInt(0));
  stream.next_in = bytes;
  stream.avail_in = uInt(size);
  stream.next_out = out;
  stream.avail_out = uInt(capacity);
}

} // namespace

uptr Deflate(const u8 *bytes, uptr size, u8 *out, uptr capacity, void *memory) {
  Arena arena = {static_cast<u8 *>(memory), kCodecMemory};
  z_stream stream = StreamIn(arena);
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kRaw * kWindowBits, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    return 0;
  Give(stream, bytes, size, out, capacity);
  // The end needs no call: it would only give back memory. zlib says that it is done
  // only if there is room left, hence "less than".
  return deflate(&stream, Z_FINISH) == Z_STREAM_END ? capacity - stream.avail_out : 0;
}

bool Inflate(const u8 *bytes, uptr size, u8 *out, uptr out_size, void *memory) {
  Arena arena = {static_cast<u8 *>(memory), kCodecMemory};
  z_stream stream = StreamIn(arena);
  if (inflateInit2(&stream, kRaw * kWindowBits) != Z_OK)
    return false;
  Give(stream, bytes, size, out, out_size);
  return inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0 &&
         stream.avail_out == 0;
}

u32 Checksum(u32 seed, const u8 *bytes, uptr size) {
  Require(size <= ~uInt(0));
  return size ? u32(crc32(seed, bytes, uInt(size))) : seed;
}

} // namespace __heddle
