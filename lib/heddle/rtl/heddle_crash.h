//===-- heddle_crash.h - Crashes inside the runtime -----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program's memory is touched inside the runtime as well, by atomic operations above all, and
// its stack ends there as often as anywhere else. The thread that crashes may hold the turn, its
// slot, the mutex of a location and the engine of weak memory, and the report must not wait for
// any of them. Two things see to that:
//   - An operation that is about to take our turn or the engine first touches what it is going to
//     need: its object and its stack. If that fails, nothing is held. A handler of the program's
//     own may then do what it likes, even jump away. The cost would show where there is neither
//     schedule nor weak memory, so it is not done there.
//   - The report of a deadly signal needs no lock that an operation holds while it touches memory
//     of the program: the slot is given up, and what libc allocates comes from the runtime.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_CRASH_H
#define HEDDLE_RTL_CRASH_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __tsan {
struct ThreadState;
} // namespace __tsan

namespace __heddle {

// By a thread that reports its crash, and does nothing else any more.
void GiveUpLocks();

// In its scope malloc and free of the current thread are the runtime's: they take no lock of the
// race detector. What is allocated in the scope must be freed in it.
class OwnAllocations {
public:
  OwnAllocations();
  ~OwnAllocations();

private:
  __tsan::ThreadState *const thr_;
  const int before_;
};

// Crashes if the thread's own stack has no room for an operation of the runtime. Other stacks are
// the program's business: what is below them is not known.
void ReserveStack(const __tsan::ThreadState *thr);

// Crashes if the object cannot be read.
ALWAYS_INLINE void TouchToRead(const volatile void *object) {
  (void)*static_cast<const volatile char *>(object);
}

// Crashes if the object cannot be written to. Its value stays as it is.
ALWAYS_INLINE void TouchToWrite(const volatile void *object) {
  char nothing = 0;
  __asm__ volatile("" : "+r"(nothing)); // or the compiler makes a load of it
  __atomic_fetch_or(static_cast<char *>(const_cast<void *>(object)), nothing, __ATOMIC_RELAXED);
}

} // namespace __heddle

#endif // HEDDLE_RTL_CRASH_H
