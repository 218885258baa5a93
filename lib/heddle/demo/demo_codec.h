//===-- demo_codec.h - Compression and checksums --------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the frames of a demo need of a compression library, and no more. Frames
// stand alone, so there is no state between two calls: a call works in memory
// that the caller lends, of a fixed size, and asks for none itself. All streams
// of a recording can share one such block.
//
// demo_zlib.cpp has it from zlib.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_DEMO_DEMO_CODEC_H
#define HEDDLE_DEMO_DEMO_CODEC_H

#include "heddle/choice/types.h"

namespace __heddle {

// zlib's deflate takes 262 KB and a state of 6 KB; this is some more, for other
// versions of it.
constexpr uptr kCodecMemory = 304 << 10;

// Compresses to less than `capacity` bytes. 0 if they do not suffice. `memory` has
// kCodecMemory bytes, aligned to 16.
uptr Deflate(const u8 *bytes, uptr size, u8 *out, uptr capacity, void *memory);

// False unless `bytes` are, from the first to the last, what decompresses to
// exactly `out_size` bytes.
bool Inflate(const u8 *bytes, uptr size, u8 *out, uptr out_size, void *memory);

// CRC-32 as in zlib, gzip and PNG, going on from `seed`.
u32 Checksum(u32 seed, const u8 *bytes, uptr size);

// The block for those functions, taken when it is first needed.
template <class Memory> class CodecMemory {
public:
  constexpr CodecMemory() = default;
  ~CodecMemory() {
    if (block_)
      Memory::Free(block_, kCodecMemory);
  }
  CodecMemory(const CodecMemory &) = delete;
  CodecMemory &operator=(const CodecMemory &) = delete;

  void *Get() {
    if (!block_)
      block_ = Memory::Alloc(kCodecMemory);
    return block_;
  }

private:
  void *block_ = nullptr;
};

} // namespace __heddle

#endif // HEDDLE_DEMO_DEMO_CODEC_H
