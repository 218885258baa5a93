//===-- size_classes.h - Sizes of chunks ----------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps of 16 bytes up to 128, then four sizes for each power of two.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MEMORY_SIZE_CLASSES_H
#define HEDDLE_MEMORY_SIZE_CLASSES_H

#include "heddle/choice/types.h"

namespace __heddle {

constexpr u32 kSizeClasses = 128;
constexpr uptr kSmallestChunk = 16;

constexpr uptr SizeOfClass(u32 size_class) {
  if (size_class < 8)
    return (size_class + 1) * kSmallestChunk;
  return (uptr(1) << (5 + (size_class - 8) / 4)) * (5 + (size_class - 8) % 4);
}

constexpr uptr kLargestChunk = SizeOfClass(kSizeClasses - 1);

// The first class that has room for so much, which is 1 to kLargestChunk.
constexpr u32 ClassOfSize(uptr size) {
  if (size <= 128)
    return u32((size - 1) / kSmallestChunk);
  const u32 log = 63 - u32(__builtin_clzll(size - 1));
  return 8 + (log - 7) * 4 + ((size - 1) >> (log - 2) & 3);
}

} // namespace __heddle

#endif // HEDDLE_MEMORY_SIZE_CLASSES_H
