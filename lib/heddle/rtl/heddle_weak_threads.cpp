//===-- heddle_weak_threads.cpp -------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the engine knows of threads: when they begin and end, in which slot they are,
// and whom they wait for.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_weak_impl.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"

#include <pthread.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

uptr WeakThread::engine_epoch;

// Without a schedule: the threads that have begun, under the mutex.
static WeakThread *threads;

// The clock of a thread that has not begun is its creator's.
WeakThread::WeakThread(const VectorClock &clock)
    : inherited(static_cast<VectorClock *>(AllocateRecord(sizeof(VectorClock)))),
      model(RuntimeThreadClock{inherited, nullptr}, 0) {
  new (inherited) VectorClock();
  *inherited = clock;
}

void WeakThread::Begin(ThreadState *thr) {
  StartEngineAnew(thr->slot_epoch);
  global_epoch = thr->slot_epoch;
  MoveTo(thr);
  FreeRecord(inherited);
  inherited = nullptr;
  random = Random(flags()->seed ? flags()->seed : NanoTime(), u64(thr->tid));
  if (Scheduled())
    return;
  buffer_engine->Begin(&model); // its clock is where it stays
  // Who joins a thread does not wait for the fibers that have run on it.
  handle = thr->tctx->thread_type == ThreadType::Fiber ? 0 : pthread_self();
  for (WeakThread *other = threads; other; other = other->next)
    if (handle && other->joins == handle)
      buffer_engine->Await(&other->model, &model);
  next = threads;
  threads = this;
}

void WeakThread::MoveTo(ThreadState *thr) {
  model.MoveTo({&thr->clock, thr}, u32(thr->fast_state.sid()));
}

void WeakThread::RefreshClocks(ThreadState *thr) {
  if (global_epoch != thr->slot_epoch) {
    global_epoch = thr->slot_epoch;
    model.StartAnew();
  } else {
    model.LeaveSlot();
  }
  StartEngineAnew(thr->slot_epoch);
  MoveTo(thr);
}

// By the first thread that comes with a new epoch; without a schedule others may come at the same
// time, and wait.
void WeakThread::StartEngineAnew(uptr epoch) {
  static StaticSpinMutex starting;
  SpinMutexLock lock(&starting);
  if (engine_epoch == epoch)
    return;
  buffer_engine ? buffer_engine->StartAnew() : mograph_engine->StartAnew();
  __atomic_store_n(&engine_epoch, epoch, __ATOMIC_RELEASE);
}

WeakThread *NewWeakThread(ThreadState *creator) {
  auto *thread = new (AllocateRecord(sizeof(WeakThread))) WeakThread(creator->clock);
  // The creator may have done nothing since all clocks started anew.
  thread->model.behind = creator->slot_epoch != WeakThread::engine_epoch;
  if (Scheduled()) {
    SpinMutexLock lock(&engine_mutex);
    buffer_engine ? buffer_engine->Begin(&thread->model) : mograph_engine->Begin(&thread->model);
  }
  return thread;
}

void WeakThreadBegins(ThreadState *thr, WeakThread *thread) {
  SlotLocker locker(thr);
  SpinMutexLock lock(&engine_mutex);
  thread->Begin(thr);
  thr->heddle.SetWeak(thread);
}

void WeakThreadEnds(WeakThread *thread) {
  if (thread->ended)
    return;
  thread->ended = true;
  SpinMutexLock lock(&engine_mutex);
  for (WeakThread **link = &threads; *link; link = &(*link)->next) {
    if (*link == thread) {
      *link = thread->next;
      break;
    }
  }
  buffer_engine ? buffer_engine->End(&thread->model) : mograph_engine->End(&thread->model);
}

void WeakThreadAwaits(WeakThread *thread, WeakThread *awaited) {
  SpinMutexLock lock(&engine_mutex);
  auto *model = awaited ? &awaited->model : nullptr;
  buffer_engine ? buffer_engine->Await(&thread->model, model)
                : mograph_engine->Await(&thread->model, model);
}

void WeakThreadJoins(ThreadState *thr, uptr handle) {
  WeakThread *thread = thr->heddle.Weak();
  if (!thread)
    return; // it has done nothing atomic yet, and is not asked
  SpinMutexLock lock(&engine_mutex);
  thread->joins = handle;
  ModelThreadState *awaited = nullptr;
  for (WeakThread *other = threads; other && handle; other = other->next)
    if (other->handle == handle)
      awaited = &other->model;
  buffer_engine->Await(&thread->model, awaited);
}

void DiscardWeakThread(WeakThread *thread) {
  WeakThreadEnds(thread);
  FreeRecord(thread->inherited);
  thread->~WeakThread();
  FreeRecord(thread);
}

void EndWeakThread(ThreadState *thr) {
  thr->heddle.ForgetMembarriers();
  if (WeakThread *thread = thr->heddle.Weak())
    DiscardWeakThread(thread);
  thr->heddle.SetWeak(nullptr);
}

void ThreadExtension::ReleaseWeak() { DiscardWeakThread(weak_); }

// One that nobody announced.
WeakThread *WeakThread::Unannounced(ThreadState *thr) {
  WeakThread *thread = NewWeakThread(thr);
  SpinMutexLock lock(&engine_mutex);
  thread->Begin(thr);
  thr->heddle.SetWeak(thread);
  return thread;
}

} // namespace __heddle
