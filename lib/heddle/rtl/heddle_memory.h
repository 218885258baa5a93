//===-- heddle_memory.h - Memory for the runtime's own records ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the memory model keeps its histories in. The runtime's internal allocator
// sets a megabyte aside for each size that it is asked for, and needs a thread that
// has a cache; here a block of any size comes from one heap, from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_MEMORY_H
#define HEDDLE_RTL_MEMORY_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {
using __sanitizer::uptr;

// Aligned to 16 bytes, with any content.
void *AllocateRecord(uptr bytes);
void FreeRecord(void *record); // nullptr is fine

} // namespace __heddle

#endif // HEDDLE_RTL_MEMORY_H
