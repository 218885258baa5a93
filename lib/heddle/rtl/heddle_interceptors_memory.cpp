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
// What other processes may write to is no concern of the memory model's.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_layout.h"
#include "heddle/rtl/heddle_not_recorded.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/types.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

void NewMapping(uptr at, uptr size, bool shared) {
  SharedMapping(at, size, shared);
  NoteMapping(at, size, shared);
}

void *Mapped(void *at, uptr size, bool shared) {
  if (at != MAP_FAILED)
    NewMapping(reinterpret_cast<uptr>(at), size, shared);
  return at;
}

// What was there before is no more: munmap says so, upstream's mmap does not.
void MappedOver(void *at, uptr size) {
  ThreadState *thr = cur_thread_init();
  if (at == MAP_FAILED || !weak_memory || !thr->is_inited)
    return;
  ScopedGlobalProcessor processor;
  SlotLocker locker(thr, true);
  ctx->metamap.ResetRange(thr->proc(), reinterpret_cast<uptr>(at),
                          RoundUpTo(size, GetPageSizeCached()), true);
}

} // namespace

// Mappings that are made anywhere have no address yet: they are in conflict with none.
#define MAP(name, off)                                                                             \
  extern "C" void *__interceptor_##name(void *, uptr, int, int, int, off);                         \
  HEDDLE_WEAK_FUNCTION(void *, name,                                                               \
                       (void *at, uptr size, int protection, int flags, int fd, off offset)) {     \
    const bool shared = (flags & MAP_TYPE) != MAP_PRIVATE;                                         \
    NotRecordedIf(Recording() && shared && !(flags & MAP_ANONYMOUS) && OthersWriteTo(fd),          \
                  #name "(MAP_SHARED)");                                                           \
    auto map = [&] {                                                                               \
      void *result = __interceptor_##name(at, size, protection, flags, fd, offset);                \
      if (flags & MAP_FIXED)                                                                       \
        MappedOver(result, size);                                                                  \
      return Mapped(result, size, shared);                                                         \
    };                                                                                             \
    if (LIKELY(!schedule_controlled))                                                              \
      return map();                                                                                \
    HEDDLE_CONTROLLED_OR(name, return map());                                                      \
    VisibleOperation visible(thr, pc, OperationKind::kSystemCall,                                  \
                             flags &MAP_FIXED ? at : nullptr);                                     \
    AwaitStacks();                                                                                 \
    return map();                                                                                  \
  }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

HEDDLE_INTERCEPTOR(int, munmap, void *at, uptr size) {
  NewMapping(reinterpret_cast<uptr>(at), size, false);
  HEDDLE_CONTROLLED(munmap, at, size);
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall, at);
  AwaitStacks();
  return __interceptor_munmap(at, size);
}

// Segments of System V are always shared. Their size is that of the whole segment.
HEDDLE_WEAK_FUNCTION(void *, shmat, (int id, const void *at, int flags)) {
  auto attach = [&] {
    void *result = reinterpret_cast<void *>(KernelCall(SYS_shmat, id, at, flags));
    shmid_ds segment;
    if ((weak_memory || processes_together) && result != MAP_FAILED &&
        shmctl(id, IPC_STAT, &segment) == 0)
      Mapped(result, segment.shm_segsz, true);
    return result;
  };
  NotRecordedIf(Recording() && OthersWriteToSegment(id), "shmat");
  if (LIKELY(!schedule_controlled))
    return attach();
  HEDDLE_CONTROLLED_OR(shmat, return attach());
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall, nullptr);
  AwaitStacks();
  return attach();
}

HEDDLE_WEAK_FUNCTION(int, shmdt, (const void *at)) {
  auto detach = [&] {
    const int result = int(KernelCall(SYS_shmdt, at));
    if (UNLIKELY(processes_together) && result == 0)
      NoteDetached(reinterpret_cast<uptr>(at));
    return result;
  };
  if (LIKELY(!schedule_controlled))
    return detach();
  HEDDLE_CONTROLLED_OR(shmdt, return detach());
  VisibleOperation visible(thr, pc, OperationKind::kSystemCall, at);
  AwaitStacks();
  return detach();
}
