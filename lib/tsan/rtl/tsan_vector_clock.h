//===-- tsan_vector_clock.h - Upstream's clock, and what holds it ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's header, unchanged, followed by Heddle's state: every upstream
// header that has to hold that state by value includes this one first.
//
//===----------------------------------------------------------------------===//

#include "upstream/tsan/rtl/tsan_vector_clock.h"

#include "heddle/rtl/heddle_sync.h"
