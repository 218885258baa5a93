//===-- placed.h - Construction in given memory ---------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Placement new under a name of its own: the library's <new> is not available
// here, and must not clash with it where it is.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_PLACED_H
#define HEDDLE_MODEL_PLACED_H

namespace __heddle {
struct Placed {
  void *at;
};
} // namespace __heddle

inline void *operator new(__SIZE_TYPE__, __heddle::Placed placed) noexcept { return placed.at; }

#endif // HEDDLE_MODEL_PLACED_H
