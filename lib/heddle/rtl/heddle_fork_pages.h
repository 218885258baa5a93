//===-- heddle_fork_pages.h - What a fork copies, and what not ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_FORK_PAGES_H
#define HEDDLE_RTL_FORK_PAGES_H

namespace __heddle {

// Before executions of a fork server, when the process has one thread: pages that hold nothing but
// zeroes are given back to the system.
void GiveBackZeroes();

} // namespace __heddle

#endif // HEDDLE_RTL_FORK_PAGES_H
