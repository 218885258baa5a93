//===-- heddle_interceptors_barrier.cpp - Barriers ----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A barrier is simulated: its state is who waits for it, which the scheduler knows,
// and the number of threads it was made for. The last thread to come wakes the
// others, and is the one that gets PTHREAD_BARRIER_SERIAL_THREAD. A barrier that processes
// outside of the schedule may have, or one that nobody saw made, is waited for in the kernel.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_placement_new.h"

#include <errno.h>
#include <pthread.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

// How many threads the barriers of this process are for. Not only for controlled
// threads: an initialisation may be where the schedule does not reach.
class Counts {
public:
  void Set(void *barrier, unsigned count) {
    SpinMutexLock lock(&mutex_);
    if (!map_)
      map_ = new (memory_) Map();
    (*map_)[reinterpret_cast<uptr>(barrier)] = count;
  }
  void Forget(void *barrier) {
    SpinMutexLock lock(&mutex_);
    if (map_)
      map_->erase(reinterpret_cast<uptr>(barrier));
  }
  // 0 if it is not known.
  unsigned Of(void *barrier) {
    SpinMutexLock lock(&mutex_);
    return map_ ? map_->lookup(reinterpret_cast<uptr>(barrier)) : 0;
  }

private:
  using Map = DenseMap<uptr, unsigned>;

  StaticSpinMutex mutex_;
  Map *map_;
  alignas(Map) char memory_[sizeof(Map)];
};
Counts counts;

bool IsShared(void *attributes) {
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes)
    pthread_barrierattr_getpshared(static_cast<pthread_barrierattr_t *>(attributes), &shared);
  return shared == PTHREAD_PROCESS_SHARED;
}

// As glibc keeps it: 0 if it is for one process.
unsigned CountOfShared(void *barrier) {
  struct Layout {
    unsigned in, round, count;
    int is_shared;
  };
  const auto *layout = static_cast<const Layout *>(barrier);
  return layout->is_shared ? layout->count : 0;
}

// How many threads it is for, or 0 if it is to be waited for in the kernel.
unsigned CountOf(void *barrier) {
  if (const unsigned count = counts.Of(barrier))
    return count;
  const unsigned count = CountOfShared(barrier);
  return SaysShared(barrier, count) && !IsAway(barrier) ? count : 0;
}

// Returns whether the thread was the last. `is_away`: it has not waited after all.
bool Meet(ThreadState *thr, uptr pc, void *barrier, unsigned count, bool *is_away) {
  bool released = false;
  for (;;) {
    VisibleOperation visible(thr, pc, OperationKind::kBarrier, barrier);
    if (!released)
      Release(thr, pc, reinterpret_cast<uptr>(barrier));
    released = true;
    bool last = visible.Waiters(WaitKind::kBarrier, barrier) + 1 >= count;
    if (last)
      visible.WakeAll(WaitKind::kBarrier, barrier);
    if (last ||
        visible.Block({WaitKind::kBarrier, reinterpret_cast<uptr>(barrier)}) == Outcome::kWoken) {
      Acquire(thr, pc, reinterpret_cast<uptr>(barrier));
      return last;
    }
    // A thread that handles a signal has not come yet.
    visible.End();
    HandleSignals(thr);
    if (UNLIKELY(async_cancels) && EndsByAsyncCancel(thr))
      return false;
    // It may have been a fork that has ended its wait.
    *is_away = !CountOf(barrier);
    if (*is_away)
      return false;
  }
}

} // namespace

HEDDLE_INTERCEPTOR(int, pthread_barrier_init, void *barrier, void *attributes, unsigned count) {
  int result = __interceptor_pthread_barrier_init(barrier, attributes, count);
  if (schedule_controlled && result == 0) {
    if (IsShared(attributes))
      counts.Forget(barrier); // of a former life
    else
      counts.Set(barrier, count);
  }
  return result;
}

HEDDLE_INTERCEPTOR(int, pthread_barrier_destroy, void *barrier) {
  if (schedule_controlled)
    counts.Forget(barrier);
  return __interceptor_pthread_barrier_destroy(barrier);
}

HEDDLE_INTERCEPTOR(int, pthread_barrier_wait, void *barrier) {
  HEDDLE_CONTROLLED(pthread_barrier_wait, barrier);
  const unsigned count = CountOf(barrier);
  bool last = false, is_away = !count;
  if (count) {
    MemoryAccess(thr, pc, reinterpret_cast<uptr>(barrier), 1, kAccessRead);
    // Nobody looks at it afterwards: the first to come back may destroy it.
    last = Meet(thr, pc, barrier, count, &is_away);
  }
  if (is_away) {
    AwayFromSchedule away(thr);
    return __interceptor_pthread_barrier_wait(barrier);
  }
  return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
