//===-- heddle_interceptors_memory.cpp - Mappings of memory ---------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other threads notice when memory is mapped and unmapped: what they find at an
// address changes, and so does the address that the next one gets. So each is an
// operation. A thread that does nothing else must not keep the others waiting, either.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"

#include <sys/mman.h>
#include <sys/types.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

// Mappings that are made anywhere have no address yet: they are in conflict with none.
#define MAPPING_OPERATION(result, name, parameters, arguments, address)                            \
  extern "C" result __interceptor_##name parameters;                                               \
  HEDDLE_WEAK_FUNCTION(result, name, parameters) {                                                 \
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name arguments;                                                       \
    HEDDLE_CONTROLLED_OR(name, return __interceptor_##name arguments);                             \
    VisibleOperation visible(thr, pc, OperationKind::kSystemCall, address);                        \
    return __interceptor_##name arguments;                                                         \
  }

// clang-format off
MAPPING_OPERATION(void *, mmap, (void *at, uptr size, int protection, int flags, int fd, off_t offset), (at, size, protection, flags, fd, offset), flags & MAP_FIXED ? at : nullptr)
MAPPING_OPERATION(void *, mmap64, (void *at, uptr size, int protection, int flags, int fd, off64_t offset), (at, size, protection, flags, fd, offset), flags & MAP_FIXED ? at : nullptr)
MAPPING_OPERATION(int, munmap, (void *at, uptr size), (at, size), at)
// clang-format on
