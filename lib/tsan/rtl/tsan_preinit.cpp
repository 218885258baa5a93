//===-- tsan_preinit.cpp - The first code of a program --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's file. A program that is to be recorded is executed anew, and to set up the
// runtime takes longer than all else that happens until then: it is not set up before.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_same_start.h"

// The order in the section is that of this file.
__attribute__((section(".preinit_array"), used)) static auto before_all =
    __heddle::RestartBeforeAll;

#include "upstream/tsan/rtl/tsan_preinit.cpp"
