//===-- heddle_arenas.h - The heap in a recording and a replay ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What upstream's allocator calls is declared where it calls it, in
// sanitizer_common/sanitizer_allocator_combined.h.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_ARENAS_H
#define HEDDLE_RTL_ARENAS_H

#include "heddle/choice/types.h"

namespace __sanitizer {
struct ThreadArena;
}

namespace __heddle {

// From now on threads have arenas, which are at these addresses.
void PrepareArenas(uptr begin, uptr size);

// Meanwhile the current thread allocates from upstream's heap, and what it frees of an arena
// nobody uses again.
class OutsideOfArenas {
public:
  OutsideOfArenas();
  ~OutsideOfArenas();

private:
  __sanitizer::ThreadArena *arena_;
};

} // namespace __heddle

#endif // HEDDLE_RTL_ARENAS_H
