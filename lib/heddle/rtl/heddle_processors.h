//===-- heddle_processors.h - Caches of threads to come -------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_PROCESSORS_H
#define HEDDLE_RTL_PROCESSORS_H

namespace __heddle {

// Makes some that the next threads will use; see tsan_rtl_proc.cpp.
void PrepareProcessors();

} // namespace __heddle

#endif // HEDDLE_RTL_PROCESSORS_H
