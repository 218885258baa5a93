//===-- tsan_rtl_proc.cpp - Upstream's, and those made before -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's file. A Processor holds the allocators' caches of a thread, more than a hundred
// kilobytes, and all its pages are touched before it is used. A fork server makes a few
// for all its executions: an execution then pays for those pages that it writes to.
//
// Each thread of the program makes one as it begins and destroys it as it ends, and upstream has no
// other place for that: what else a thread has as long is given and released here, too.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_processors.h"
#include "heddle/rtl/heddle_signal_stacks.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"
#include "tsan_mman.h"
#include "tsan_rtl.h"

#define ProcCreate UpstreamProcCreate
#define ProcDestroy UpstreamProcDestroy
#include "upstream/tsan/rtl/tsan_rtl_proc.cpp"
#undef ProcDestroy
#undef ProcCreate

namespace __tsan {
namespace {

constexpr u32 kPrepared = 4; // more threads than most tests have
Processor *prepared[kPrepared];
atomic_uint32_t prepared_count;

} // namespace

Processor *ProcCreate() {
  __heddle::GiveSignalStack();
  u32 count = atomic_load_relaxed(&prepared_count);
  while (count)
    if (atomic_compare_exchange_weak(&prepared_count, &count, count - 1, memory_order_relaxed))
      return prepared[count - 1];
  return UpstreamProcCreate();
}

void ProcDestroy(Processor *processor) {
  UpstreamProcDestroy(processor);
  __heddle::ReleaseSignalStack();
}

} // namespace __tsan

void __heddle::PrepareProcessors() {
  using namespace __tsan;
  ThreadState *thr = cur_thread();
  const uptr pc = StackTrace::GetCurrentPc();
  Processor *own = thr->proc();
  ProcUnwire(own, thr);
  for (Processor *&processor : prepared) {
    processor = UpstreamProcCreate();
    ProcWire(processor, thr);
    // The first use of a cache sets it up.
    user_free(thr, pc, user_alloc_internal(thr, pc, 1), /*signal=*/false);
    InternalFree(InternalAlloc(1, &processor->internal_alloc_cache),
                 &processor->internal_alloc_cache);
    ProcUnwire(processor, thr);
  }
  ProcWire(own, thr);
  atomic_store_relaxed(&prepared_count, kPrepared);
}
