//===-- heddle_thread_locals.h - Thread-local variables, made anew --------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For threads that are used again, see heddle_workers.h.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_THREAD_LOCALS_H
#define HEDDLE_RTL_THREAD_LOCALS_H

#include "heddle/choice/growable.h"
#include "heddle/rtl/heddle_control_impl.h"

namespace __heddle {

// The thread's own, in the program and its libraries, are as they are at the start of a thread.
// Not those of the C and C++ libraries: they hold what goes with the kernel's thread.
void ResetThreadLocals();

// What __cxa_thread_atexit has been given. Zero is empty.
class ThreadLocalDestructors {
public:
  void Add(void (*destructor)(void *), void *object) { list_.Push({destructor, object}); }
  // The last first; they may add others.
  void Call() {
    while (!list_.Empty()) {
      Entry entry = list_.Back();
      list_.Pop();
      entry.destructor(entry.object);
    }
  }

private:
  struct Entry {
    void (*destructor)(void *);
    void *object;
  };
  Growable<Entry, RuntimeMemory> list_;
};

} // namespace __heddle

#endif // HEDDLE_RTL_THREAD_LOCALS_H
