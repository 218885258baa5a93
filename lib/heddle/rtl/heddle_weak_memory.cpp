//===-- heddle_weak_memory.cpp --------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_weak_memory.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_execution.h"
#include "heddle/rtl/heddle_fibers.h"
#include "heddle/rtl/heddle_membarrier.h"
#include "heddle/rtl/heddle_stale_reads.h"
#include "heddle/rtl/heddle_statistics.h"
#include "heddle/rtl/heddle_weak_impl.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

bool weak_memory;
bool RuntimePolicy::kConcurrent;
Buffer *buffer_engine;
Mograph *mograph_engine;
StaticSpinMutex engine_mutex;

namespace {

// Answers the engine's questions.
struct Choices {
  WeakThread *thread;
  WeakLocation *location;
  ControlledThread *controlled; // null if nobody may be asked
  bool plain = false;           // nothing unusual is to happen

  // A store becomes visible in finite time: see docs/weak-memory.md.
  u32 Read(u32 options, const Views &views) {
    if (plain || thread->AskedForNewest(location))
      return 0;
    if (controlled)
      return control->ChooseRead(controlled->id, options, views);
    return RuntimePolicy::kConcurrent ? thread->random.Below(options) : 0;
  }
  // A thread that has waited for others puts its store last, so that they come to see it.
  u32 Place(u32 options) {
    if (!controlled || thread->MustSeeNewest(location))
      return 0;
    return control->ChoosePlace(options);
  }
  bool Spurious() {
    if (plain)
      return false;
    if (controlled)
      return control->ChooseSpurious();
    return RuntimePolicy::kConcurrent && thread->random.Below(16) == 0;
  }
};

ControlledThread *Asking(ThreadState *thr) {
  ControlledThread *controlled = thr->heddle.Controlled();
  return controlled && controlled->inside ? controlled : nullptr;
}

} // namespace

WeakOperation::WeakOperation(ThreadState *thr, uptr pc, const volatile void *a, u32 size,
                             const ShadowCells &shadow) SANITIZER_NO_THREAD_SAFETY_ANALYSIS
    : thr_(thr),
      pc_(pc),
      synced_before_(thr->heddle.TakeSynced()),
      slot_(thr),
      thread_(WeakThread::Of(thr)),
      sync_(ctx->metamap.GetSyncOrCreate(thr, pc, reinterpret_cast<uptr>(a), false)) {
  thr->heddle.TakeSynced(); // by the lock just taken
  if (Scheduled()) {
    engine_mutex.Lock();
    shadow_ = shadow;
  } else {
    sync_->mtx.Lock();
    // Another operation may have looked at the shadow, and not found a plain write any
    // more that we have seen: that would come to life again.
    shadow_ = ShadowCells(a);
  }
  thread_->Refresh(thr, synced_before_);
  WeakLocation *location = sync_->heddle.weak();
  if (UNLIKELY(!location)) {
    location = WeakLocation::New(thr, sync_->addr, size);
    sync_->heddle.SetWeak(location);
  } else if (UNLIKELY(location->size != size ||
                      __atomic_load_n(&location->to_be_given_up, __ATOMIC_RELAXED))) {
    sync_->heddle.GiveUpWeak(thr);
    location->size = u8(max<u32>(location->size, size));
  }
  if (LIKELY(!location->hardware))
    location_ = location;
}

WeakOperation::~WeakOperation() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  Scheduled() ? engine_mutex.Unlock() : sync_->mtx.Unlock();
}

// What happened to the location between the last operation and this one.
void WeakOperation::Meet(WideValue memory) {
  if (LIKELY(location_->Untouched(sync_->addr, shadow_)) && LIKELY(location_->Holds(memory)) &&
      LIKELY(!location_->is_new) && LIKELY(location_->execution == WeakExecution::current))
    return;
  const PlainAccess plain = location_->AccessedPlainly(sync_->addr, shadow_);
  if (UNLIKELY(location_->is_new)) {
    location_->is_new = false;
    location_->BeginLife(memory);
  } else if (UNLIKELY(plain == PlainAccess::kWrite)) {
    NobodyHasNewest();
    location_->EndLife();
    location_->BeginLife(memory);
  } else if (UNLIKELY(!location_->Holds(memory) || plain == PlainAccess::kPerhapsWrite ||
                      location_->execution != WeakExecution::current)) {
    NobodyHasNewest();
    location_->GoOn(memory);
  }
  if (UNLIKELY(location_->execution != WeakExecution::current)) {
    location_->execution = WeakExecution::current;
    location_->id = WeakExecution::NextId();
  }
}

StoredValue WeakOperation::NewStore(WideValue stored) {
  StoredValue value;
  value.set_value(stored);
  value.pc = pc_;
  value.tick = Asking(thr_) ? control->scheduler().Ticks() : 0;
  value.tid = thr_->tid;
  value.sid_bits = u8(thr_->fast_state.sid());
  value.epoch_bits = u16(thr_->fast_state.epoch());
  return value;
}

StoredValue WeakOperation::Restore(u32 newer) {
  return location_->in_mograph ? location_->InMograph()->Restore(newer)
                               : location_->InBuffer()->Restore(newer);
}

// A load has taken place, and has left in the thread how many newer stores there are.
void WeakOperation::Loaded(Order order) {
  const u32 newer = thread_->model.newer;
  if (UNLIKELY(statistics))
    CountLoad(pc_, Restore(newer).pc, newer);
  if (UNLIKELY(writes_execution) && Asking(thr_))
    DescribeReadsFrom(Restore(newer), newer);
  thread_->Loaded(location_,
                  location_->in_mograph ? thread_->model.read : location_->serial - newer, newer);
  if (UNLIKELY(newer))
    NoteStale(Restore(newer), newer, kAccessRead);
  else
    HasNewest(order, IsAcquire(order));
}

void WeakOperation::Stored(WideValue value, bool last) {
  location_->serial++;
  last_ = last;
  if (LIKELY(last))
    location_->SetLast(value);
}

// The thread has come to the newest store, and has acquired it perhaps.
void WeakOperation::HasNewest(Order order, bool acquired) {
  if (Scheduled())
    return;
  acquired = acquired || location_->InBuffer()->LatestIsKnownTo(thread_->model);
  sync_->heddle.SetNewest(thread_->newest.AddTo(sync_->heddle.Id(), acquired, IsSeqCst(order)));
}

// There is going to be another newest store: before anybody can come to know of it,
// from memory or by the order of seq_cst operations.
void WeakOperation::NobodyHasNewest() {
  sync_->heddle.SetNewest(kNeverReleased);
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

void WeakOperation::NoteStale(const StoredValue &value, u32 newer, AccessType access) {
  StaleRead read;
  read.tick = Asking(thr_) ? control->scheduler().Ticks() : 0;
  read.pc = pc_;
  read.addr = sync_->addr;
  read.size = location_->size;
  read.newer = newer;
  read.access = access;
  read.sid = thr_->fast_state.sid();
  read.epoch = thr_->fast_state.epoch();
  read.store = value;
  NoteStaleRead(thr_, thread_, read);
}

// What __tsan_release() gave to the location.
void WeakOperation::AcquireAnnotated(Order order) {
  if (LIKELY(!sync_->clock) || !IsAcquire(order))
    return;
  thr_->clock.Acquire(sync_->clock);
  thread_->model.Changed();
}

WideValue WeakOperation::Load(WideValue memory, Order order) {
  Meet(memory);
  AcquireAnnotated(order);
  Choices choices{thread_, location_, Asking(thr_)};
  const WideValue value =
      LIKELY(buffer_engine)
          ? buffer_engine->Load(&thread_->model, location_->InBuffer(), order, choices)
          : mograph_engine->Load(&thread_->model, location_->InMograph(), order, choices).value();
  Loaded(order);
  return value;
}

void WeakOperation::ReadLast(WideValue memory) {
  Meet(memory);
  Choices choices{thread_, location_, nullptr, /*plain=*/true};
  if (buffer_engine)
    buffer_engine->Load(&thread_->model, location_->InBuffer(), Order::kRelaxed, choices);
  else
    mograph_engine->Load(&thread_->model, location_->InMograph(), Order::kRelaxed, choices);
  HasNewest(Order::kRelaxed, false);
}

void WeakOperation::Store(WideValue memory, WideValue value, Order order) {
  Meet(memory);
  NobodyHasNewest();
  bool last = true;
  if (LIKELY(buffer_engine))
    buffer_engine->Store(&thread_->model, location_->InBuffer(), NewStore(value), order);
  else
    last = mograph_engine->Store(&thread_->model, location_->InMograph(), NewStore(value), order,
                                 Choices{thread_, location_, Asking(thr_)});
  Stored(value, last);
  HasNewest(order, false);
}

WideValue WeakOperation::Rmw(WideValue memory, WideValue (*apply)(WideValue, WideValue),
                             WideValue operand, Order order) {
  Meet(memory);
  NobodyHasNewest();
  AcquireAnnotated(order);
  Choices choices{thread_, location_, Asking(thr_)};
  WideValue old, desired;
  auto modify = [&](WideValue read) {
    old = read;
    desired = apply(read, operand);
    return NewStore(desired);
  };
  bool last = true;
  if (LIKELY(buffer_engine)) {
    if (UNLIKELY(statistics))
      CountLoad(pc_, location_->InBuffer()->Latest().pc, 0);
    if (UNLIKELY(writes_execution) && choices.controlled)
      DescribeReadsFrom(location_->InBuffer()->Latest(), 0);
    buffer_engine->Rmw(&thread_->model, location_->InBuffer(), modify, order);
  } else {
    const StoredValue read = mograph_engine->Rmw(
        &thread_->model, location_->InMograph(),
        [&](const StoredValue &read) { return modify(read.value()); }, order, choices, &last);
    Modified(read, choices.controlled);
  }
  Stored(desired, last);
  HasNewest(order, IsAcquire(order));
  return old;
}

// An RMW of `mograph` has read this store.
void WeakOperation::Modified(const StoredValue &read, bool controlled) {
  const u32 newer = thread_->model.newer;
  if (UNLIKELY(statistics))
    CountLoad(pc_, read.pc, newer);
  if (UNLIKELY(writes_execution) && controlled)
    DescribeReadsFrom(read, newer);
  thread_->Modified(location_, newer);
  if (newer)
    NoteStale(read, newer, kAccessWrite);
}

bool WeakOperation::CompareExchange(WideValue memory, WideValue *expected, WideValue desired,
                                    Order order, Order failure, bool weak, bool sure) {
  Meet(memory);
  if (memory == *expected)
    NobodyHasNewest();
  AcquireAnnotated(memory == *expected ? order : failure);
  Choices choices{thread_, location_, Asking(thr_), sure};
  thread_->defers_release = !sure; // else it has been announced
  bool stored, last = true;
  if (LIKELY(buffer_engine)) {
    StoredValue latest{};
    if (UNLIKELY(statistics || writes_execution))
      latest = location_->InBuffer()->Latest(); // what it reads if it stores
    u64 found = static_cast<u64>(*expected);
    stored = buffer_engine->CompareExchange(&thread_->model, location_->InBuffer(), &found,
                                            NewStore(desired), order, failure, weak, choices);
    *expected = found;
    if (UNLIKELY(statistics) && stored)
      CountLoad(pc_, latest.pc, 0);
    if (UNLIKELY(writes_execution) && stored && choices.controlled)
      DescribeReadsFrom(latest, 0);
  } else {
    StoredValue found{};
    found.set_value(*expected);
    stored =
        mograph_engine->CompareExchange(&thread_->model, location_->InMograph(), &found,
                                        NewStore(desired), order, failure, weak, choices, &last);
    *expected = found.value();
    if (stored)
      Modified(found, choices.controlled);
  }
  thread_->defers_release = false;
  if (!stored) {
    Loaded(failure);
    return false;
  }
  Stored(desired, last);
  HasNewest(order, IsAcquire(order));
  return true;
}

// What was announced since belongs to what was released.
void WeakOperation::EndRelease(ThreadState *thr) {
  WeakThread *thread = thr->heddle.Weak();
  if (!thread->deferred_release)
    return;
  thread->deferred_release = false;
  const bool synced = thr->heddle.TakeSynced();
  {
    SlotLocker locker(thr);
    IncrementEpoch(thr);
  }
  thr->heddle.TakeSynced();
  if (synced)
    thr->heddle.SetSynced();
}

void Advance(RuntimeThreadClock *clock, u32) {
  WeakThread *thread = clock->thr->heddle.Weak();
  if (UNLIKELY(thread->defers_release))
    thread->deferred_release = true;
  else
    IncrementEpoch(clock->thr);
}

void WeakFence(ThreadState *thr, Order order) {
  const bool synced = thr->heddle.TakeSynced();
  SlotLocker locker(thr);
  thr->heddle.TakeSynced();
  WeakThread *thread = WeakThread::Of(thr);
  SpinMutexLock lock(&engine_mutex);
  thread->Refresh(thr, synced);
  buffer_engine ? buffer_engine->Fence(&thread->model, order)
                : mograph_engine->Fence(&thread->model, order);
}

// Calls tell(engine, thread) with the engine in use and what it knows of the thread.
template <class Tell> static void TellEngine(ThreadState *thr, Tell tell) {
  if (LIKELY(!weak_memory))
    return;
  const bool synced = thr->heddle.TakeSynced();
  SlotLocker locker(thr);
  thr->heddle.TakeSynced();
  WeakThread *thread = WeakThread::Of(thr);
  SpinMutexLock lock(&engine_mutex);
  thread->Refresh(thr, synced);
  buffer_engine ? tell(buffer_engine, &thread->model) : tell(mograph_engine, &thread->model);
}

void WeakThreadWaits(ThreadState *thr) {
  TellEngine(thr, [](auto *engine, ModelThreadState *thread) { engine->BecomeVisible(thread); });
}

void WeakThreadWakes(ThreadState *thr) {
  TellEngine(thr, [](auto *engine, ModelThreadState *thread) { engine->Wakes(*thread); });
}

void WeakThreadIsWoken(ThreadState *thr) {
  TellEngine(thr, [](auto *engine, ModelThreadState *thread) { engine->Woken(thread); });
}

void WeakReadByKernel(ThreadState *thr, uptr pc, const u32 *word) {
  if (LIKELY(!weak_memory))
    return;
  SyncVar *s = ctx->metamap.GetSyncIfExists(reinterpret_cast<uptr>(word));
  const WeakLocation *location = s ? s->heddle.weak() : nullptr;
  // Not if the program knows the word as part of a larger object: it is not what was compared.
  if (!location || location->size != sizeof(*word))
    return;
  WeakOperation operation(thr, pc, word, sizeof(*word), ShadowCells(word));
  if (!operation.hardware())
    operation.ReadLast(__atomic_load_n(word, __ATOMIC_SEQ_CST));
}

// No store is named: whatever a load could acquire there is.
void AcquireWeakly(ThreadState *thr, SyncVar *s) {
  RuntimeClock clock;
  {
    SpinMutexLock lock(&engine_mutex);
    s->heddle.weak()->JoinReleased(&clock);
  }
  thr->clock.Acquire(&clock.clock());
  thr->heddle.SetSynced();
}

//===-- From the flags ----------------------------------------------------===//

template <class Engine, class... Arguments> static Engine *NewEngine(Arguments &&...arguments) {
  return new (AllocateRecord(sizeof(Engine))) Engine(static_cast<Arguments &&>(arguments)...);
}

// Above that many in all, `mograph` keeps one store of each location that is stored to.
static constexpr u64 kMaxStores = 1 << 20;

static void MakeEngine(WeakMemory kind) {
  static Buffer *buffer;
  static Mograph *mograph;
  if (kind == WeakMemory::kBuffer && !buffer) {
    BufferOptions options;
    options.history = u32(flags()->store_history);
    options.release_sequence = flags()->release_sequence;
    options.seq_cst = flags()->seq_cst;
    buffer = NewEngine<Buffer>(options);
  }
  if (kind == WeakMemory::kMograph && !mograph) {
    MographOptions options;
    if (flags()->prune == Pruning::kAggressive)
      options.window = u32(flags()->prune_window);
    options.max_stores = kMaxStores;
    options.seq_cst = flags()->seq_cst;
    mograph = NewEngine<Mograph>(options);
  }
  buffer_engine = kind == WeakMemory::kBuffer ? buffer : nullptr;
  mograph_engine = kind == WeakMemory::kMograph ? mograph : nullptr;
  weak_memory = kind != WeakMemory::kOff;
}

const char *CheckWeakMemory(WeakMemory kind, bool scheduled) {
  if (kind == WeakMemory::kOff)
    return nullptr;
  if (flags()->exact_happens_before == ExactHappensBefore::kOff)
    return "weak_memory needs exact_happens_before=1";
  if (kind == WeakMemory::kMograph && !scheduled)
    return "weak_memory=mograph needs a schedule: add schedule=random, or another strategy, or "
           "take weak_memory=buffer";
  if (kind == WeakMemory::kMograph && flags()->release_sequence == ReleaseSequenceRules::kCxx11)
    return "weak_memory=mograph knows release_sequence=cxx20 only; weak_memory=buffer knows both";
  if (flags()->store_history < 1 || flags()->store_history > 4096)
    return "store_history must be 1 to 4096";
  if (flags()->prune_window < 1 || flags()->prune_window > 1000000)
    return "prune_window must be 1 to 1000000";
  return nullptr;
}

void StartWeakMemory() {
  const bool scheduled = flags()->schedule != Schedule::kNone;
  if (const char *wrong = CheckWeakMemory(flags()->weak_memory, scheduled)) {
    Printf("ERROR: ThreadSanitizer: %s.\n", wrong);
    Die();
  }
  RuntimePolicy::kConcurrent = flags()->weak_memory != WeakMemory::kOff && !scheduled;
  MakeEngine(flags()->weak_memory);
}

//===-- Executions in one process -----------------------------------------===//

void UseWeakMemory(WeakMemory kind) {
  EndWeakFibers();
  MakeEngine(kind);
  WeakThread::engine_epoch = ~uptr(0); // this engine may know of other clocks
}

void BeginWeakExecution(ThreadState *thr) {
  ForgetStaleReads();
  ForgetMembarriers(thr);
  WeakExecution::current++;
  atomic_store_relaxed(&WeakExecution::locations, 0);
  EndWeakThread(thr);
  EndWeakFibers();
  if (weak_memory)
    WeakThreadBegins(thr, NewWeakThread(thr));
}

} // namespace __heddle
