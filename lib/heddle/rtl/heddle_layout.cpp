//===-- heddle_layout.cpp - The same addresses each time ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_layout.h"

#include "heddle/rtl/heddle_arenas.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_recorded_children.h"
#include "heddle/rtl/heddle_same_start.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "tsan_flags.h"
#include "tsan_platform.h"
#include "tsan_rtl.h"

#include <sys/syscall.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __sanitizer {

// Addresses for the runtime's own mappings, in their order, none twice.
static atomic_uintptr_t apart_next;
static uptr apart_end;

// Called by internal_mmap. It is a hint: if it is null, or something is there, the system
// chooses.
void *PlaceApart(uptr size) {
  if (LIKELY(!apart_end))
    return nullptr;
  size = RoundUpTo(size, GetPageSizeCached());
  const uptr at = atomic_fetch_add(&apart_next, size, memory_order_relaxed);
  return size < apart_end && at < apart_end - size ? reinterpret_cast<void *>(at) : nullptr;
}

} // namespace __sanitizer

namespace __heddle {

bool LayoutIsFixed() {
  return flags()->deterministic_memory && (flags()->record_demo[0] || flags()->play_demo[0]);
}

// Where libraries, mappings and stacks are, from the top down, is much more room than they
// need. Its lower part is for the arenas, then come the runtime's own mappings.
void PrepareLayout() {
  ForgetDemoOfOthers();
  if (!LayoutIsFixed())
    return;
  // What has been done so far is done again then, so nothing else comes before it. A replay must
  // have read the demo first.
  if (!flags()->play_demo[0])
    RestartToRecord();
  const uptr begin = HiAppMemBeg(), size = HiAppMemEnd() - begin;
  const uptr arenas = size / 3, apart = size / 12 * 5;
  atomic_store_relaxed(&apart_next, begin + arenas);
  apart_end = begin + arenas + apart;
  PrepareArenas(begin, arenas);
}

//===-- Stacks of detached threads ----------------------------------------===//

// libc keeps the stack of a joined thread for the next, or unmaps it, in the join, which is
// an operation. A detached thread does so itself, after its last operation.

static u32 leaving; // the thread, by the system's id

void StackIsLeft(u32 os_id) {
  if (!LayoutIsFixed())
    return;
  AwaitStacks();
  leaving = os_id;
}

// For a second at most: it may be stuck in the last of the program's destructors.
void AwaitStacks() {
  if (LIKELY(!leaving))
    return;
  const u64 limit = MonotonicNanoTime() + 1000000000;
  while (!KernelCall(SYS_tgkill, int(internal_getpid()), leaving, 0) && MonotonicNanoTime() < limit)
    internal_sched_yield();
  leaving = 0;
}

} // namespace __heddle
