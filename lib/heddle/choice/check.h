//===-- check.h - An assertion that stays on ------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What must hold in every build. A decision taken on a broken invariant would
// be recorded and replayed as if it were right, so the program stops instead.
// It traps because these layers have no way to print.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_CHECK_H
#define HEDDLE_CHOICE_CHECK_H

namespace __heddle {

constexpr void Require(bool holds) {
  if (__builtin_expect(!holds, 0))
    __builtin_trap();
}

} // namespace __heddle

#endif // HEDDLE_CHOICE_CHECK_H
