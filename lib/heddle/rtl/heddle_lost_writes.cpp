//===-- heddle_lost_writes.cpp --------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_lost_writes.h"

namespace __heddle {

LostWrites LostWrites::table[kTable];

} // namespace __heddle
