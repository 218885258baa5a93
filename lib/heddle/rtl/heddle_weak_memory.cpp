//===-- heddle_weak_memory.cpp --------------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_weak_memory.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_happens_before.h"
#include "heddle/rtl/heddle_statistics.h"
#include "heddle/rtl/heddle_weak_impl.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"

#include <pthread.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

bool weak_memory;
bool RuntimePolicy::kConcurrent;
u32 RuntimePolicy::first_epoch[kThreadSlotCount];

namespace {

// Exactly one of them, if weak_memory.
Buffer *buffer;
Mograph *mograph;
// The engine's, under a schedule. Without one: of the order S of seq_cst fences.
StaticSpinMutex mutex;
uptr engine_epoch; // the global epoch that its clocks are of
// Without a schedule: the threads that have begun, under the mutex.
WeakThread *threads;

template <class Engine, class... Arguments> Engine *NewEngine(Arguments &&...arguments) {
  return new (AllocateRecord(sizeof(Engine))) Engine(static_cast<Arguments &&>(arguments)...);
}

bool Scheduled() { return !RuntimePolicy::kConcurrent; }

} // namespace

//===-- Threads -----------------------------------------------------------===//

// The clock of a thread that has not begun is its creator's.
WeakThread::WeakThread(const VectorClock &clock)
    : inherited(static_cast<VectorClock *>(AllocateRecord(sizeof(VectorClock)))),
      model(RuntimeThreadClock{inherited, nullptr}, 0) {
  new (inherited) VectorClock();
  *inherited = clock;
}

void WeakThread::Begin(ThreadState *thr) {
  global_epoch = thr->slot_epoch;
  MoveTo(thr);
  FreeRecord(inherited);
  inherited = nullptr;
  random = Random(flags()->seed ? flags()->seed : NanoTime(), u64(thr->tid));
  if (Scheduled())
    return;
  buffer->Begin(&model); // its clock is where it stays
  handle = pthread_self();
  for (WeakThread *other = threads; other; other = other->next)
    if (other->joins == handle)
      buffer->Await(&other->model, &model);
  next = threads;
  threads = this;
}

// A thread is in the slot, since this epoch at the latest.
void WeakThread::MoveTo(ThreadState *thr) {
  u32 slot = u32(thr->fast_state.sid());
  RuntimePolicy::first_epoch[slot] = u32(thr->fast_state.epoch());
  model.MoveTo({&thr->clock, thr}, slot);
}

// The slot is locked, and the engine is ours.
void WeakThread::Refresh(ThreadState *thr, bool synced) {
  if (UNLIKELY(global_epoch != thr->slot_epoch)) {
    global_epoch = thr->slot_epoch;
    model.StartAnew();
    MoveTo(thr);
  } else if (UNLIKELY(model.slot() != u32(thr->fast_state.sid()))) {
    MoveTo(thr);
  } else if (UNLIKELY(synced)) {
    model.Changed();
  }
  if (UNLIKELY(engine_epoch != thr->slot_epoch)) {
    engine_epoch = thr->slot_epoch;
    internal_memset(RuntimePolicy::first_epoch, 0xff, sizeof(RuntimePolicy::first_epoch));
    MoveTo(thr);
    buffer ? buffer->StartAnew() : mograph->StartAnew();
  }
}

WeakThread *NewWeakThread(ThreadState *creator) {
  auto *thread = new (AllocateRecord(sizeof(WeakThread))) WeakThread(creator->clock);
  if (Scheduled()) {
    SpinMutexLock lock(&mutex);
    buffer ? buffer->Begin(&thread->model) : mograph->Begin(&thread->model);
  }
  return thread;
}

void WeakThreadBegins(ThreadState *thr, WeakThread *thread) {
  SlotLocker locker(thr);
  SpinMutexLock lock(&mutex);
  thread->Begin(thr);
  thr->heddle.SetWeak(thread);
}

void WeakThreadEnds(WeakThread *thread) {
  if (thread->ended)
    return;
  thread->ended = true;
  SpinMutexLock lock(&mutex);
  for (WeakThread **link = &threads; *link; link = &(*link)->next) {
    if (*link == thread) {
      *link = thread->next;
      break;
    }
  }
  buffer ? buffer->End(&thread->model) : mograph->End(&thread->model);
}

void WeakThreadAwaits(WeakThread *thread, WeakThread *awaited) {
  SpinMutexLock lock(&mutex);
  auto *model = awaited ? &awaited->model : nullptr;
  buffer ? buffer->Await(&thread->model, model) : mograph->Await(&thread->model, model);
}

void WeakThreadJoins(ThreadState *thr, uptr handle) {
  WeakThread *thread = thr->heddle.Weak();
  if (!thread)
    return; // it has done nothing atomic yet, and is not asked
  SpinMutexLock lock(&mutex);
  thread->joins = handle;
  const ModelThreadState *awaited = nullptr;
  for (WeakThread *other = threads; other && handle; other = other->next)
    if (other->handle == handle)
      awaited = &other->model;
  buffer->Await(&thread->model, awaited);
}

void DiscardWeakThread(WeakThread *thread) {
  WeakThreadEnds(thread);
  FreeRecord(thread->inherited);
  thread->~WeakThread();
  FreeRecord(thread);
}

void ThreadExtension::ReleaseWeak() { DiscardWeakThread(weak_); }

static WeakThread *ThreadOf(ThreadState *thr) {
  WeakThread *thread = thr->heddle.Weak();
  if (UNLIKELY(!thread)) {
    // One that nobody announced. The slot is locked.
    thread = NewWeakThread(thr);
    SpinMutexLock lock(&mutex);
    thread->Begin(thr);
    thr->heddle.SetWeak(thread);
  }
  return thread;
}

//===-- Locations ---------------------------------------------------------===//

u64 WeakLocation::NewId() {
  static atomic_uint64_t ids;
  return atomic_fetch_add(&ids, 1, memory_order_relaxed);
}

// With as much room as the engine needs.
WeakLocation *WeakLocation::New() {
  constexpr uptr kHead = __builtin_offsetof(WeakLocation, history);
  auto *location = static_cast<WeakLocation *>(
      AllocateRecord(kHead + (buffer ? sizeof(Buffer::Location) : sizeof(Mograph::Location))));
  internal_memset(location, 0, kHead);
  return location;
}

void WeakLocation::BeginLife(u64 memory) {
  StoredValue initial{};
  initial.bits = memory;
  initial.tid = kInvalidTid;
  if (buffer)
    new (history) Buffer::Location(initial);
  else
    new (history) Mograph::Location(mograph, initial);
  serial = 0;
  last = memory;
}

// Nobody knows who wrote there, or with which clock: that is no reason to forget
// what was released before.
void WeakLocation::GoOn(u64 memory) {
  RuntimeClock clock;
  JoinReleased(&clock);
  EndLife();
  BeginLife(memory);
  buffer ? InBuffer()->SetInitiallyReleased(clock) : InMograph()->SetInitiallyReleased(clock);
}

void WeakLocation::JoinReleased(RuntimeClock *clock) {
  buffer ? InBuffer()->JoinReleased(clock) : InMograph()->JoinReleased(clock);
}

void WeakLocation::EndLife() {
  if (buffer)
    InBuffer()->~Location();
  else
    InMograph()->~Location();
}

// Of the eight bytes that share a shadow, those of a location, as in Shadow::access().
static u8 BytesInCell(uptr addr, u32 size) {
  return static_cast<u8>(((1u << min<u32>(size, kShadowCell)) - 1) << (addr % kShadowCell));
}

// From now on plain writes to the location are noticed, also if others take their place in
// the shadow.
void WeakLocation::LookOut(uptr addr) {
  lost_writes = LostWrites::Of(addr, BytesInCell(addr, size));
  lost_seen = lost_writes->count();
}

// What somebody has done with the location in another way than atomically since the
// last operation.
PlainAccess WeakLocation::AccessedPlainly(uptr addr, const ShadowCells &shadow) {
  const u32 bytes = BytesInCell(addr, size);
  u32 accesses[kShadowCnt] = {};
  u32 any = 0, count = 0;
  bool read = false, written = false;
  for (uptr i = 0; i < kShadowCnt; i++) {
    Shadow cell(static_cast<RawShadow>(shadow.cells[i]));
    any |= shadow.cells[i];
    AccessType type;
    if (!(cell.access() & bytes))
      continue;
    cell.GetAccess(nullptr, nullptr, &type);
    if (type & kAccessAtomic)
      continue;
    accesses[count++] = shadow.cells[i];
    if (!Knows(shadow.cells[i]))
      type &kAccessRead ? read = true : written = true;
  }
  if (has_shadow && !any) // cleared
    written = true;
  written |= lost_writes->AnySince(&lost_seen, [&](const Shadow &write) {
    return (write.access() & bytes) && !Knows(static_cast<u32>(write.raw()));
  });
  has_shadow = any;
  for (u32 i = 0; i < kShadowCnt; i++)
    plain_accesses[i] = accesses[i];
  return written ? PlainAccess::kWrite : read ? PlainAccess::kRead : PlainAccess::kNone;
}

void LocationState::EndWeak() {
  SetNewest(kNeverReleased); // those who have the newest store look at weak_
  __atomic_thread_fence(__ATOMIC_RELEASE);
  {
    SpinMutexLock lock(&mutex);
    if (!weak_->hardware && !weak_->is_new)
      weak_->EndLife();
  }
  FreeRecord(weak_);
  weak_ = nullptr;
}

// Of the stores that may be the last in modification order, memory has one.
void LocationState::StartAnew(uptr addr) {
  if (weak_) {
    if (mograph && !weak_->hardware && !weak_->is_new && IsAccessibleMemoryRange(addr, weak_->size))
      weak_->Settle(addr);
    EndWeak();
  }
  Reset();
}

bool WeakLocation::Settled() {
  u32 count = 0;
  InMograph()->FinalValues([&](const StoredValue &) { count++; });
  return count < 2;
}

void WeakLocation::Settle(uptr addr) {
  bool settled = false;
  u64 other = last;
  InMograph()->FinalValues([&](const StoredValue &value) {
    settled |= value.serial == serial;
    other = value.bits;
  });
  if (settled || other == last)
    return;
  last = other;
  switch (size) {
  case 1:
    *reinterpret_cast<volatile u8 *>(addr) = u8(other);
    break;
  case 2:
    *reinterpret_cast<volatile u16 *>(addr) = u16(other);
    break;
  case 4:
    *reinterpret_cast<volatile u32 *>(addr) = u32(other);
    break;
  default:
    *reinterpret_cast<volatile u64 *>(addr) = other;
    break;
  }
}

namespace {

// Other locations that share memory with this one have no history, like this one.
bool Overlaps(ThreadState *thr, uptr addr, u32 size) {
  bool overlaps = false;
  for (uptr other = addr - 15; other < addr + size; other++) {
    if (other == addr || !*MemToMeta(other))
      continue;
    SyncVar *s = ctx->metamap.GetSyncIfExists(other);
    WeakLocation *location = s ? s->heddle.weak() : nullptr;
    if (location && other + location->size > addr) {
      overlaps = true;
      s->heddle.GiveUpWeak(thr);
    }
  }
  return overlaps;
}

struct SharedRange {
  uptr begin, end;
};
constexpr uptr kMaxShared = 64;
SharedRange shared_ranges[kMaxShared];
uptr shared_count;
StaticSpinMutex shared_mutex;

void AddShared(uptr begin, uptr end) {
  if (shared_count == kMaxShared) // rather too much than too little
    shared_ranges[0] = {0, ~uptr(0)};
  else
    shared_ranges[shared_count++] = {begin, end};
}

bool IsShared(uptr addr) {
  if (LIKELY(!shared_count))
    return false;
  SpinMutexLock lock(&shared_mutex);
  for (uptr i = 0; i < shared_count; i++)
    if (addr >= shared_ranges[i].begin && addr < shared_ranges[i].end)
      return true;
  return false;
}

} // namespace

void SharedMapping(uptr begin, uptr size, bool shared) {
  if (!weak_memory)
    return;
  SpinMutexLock lock(&shared_mutex);
  const uptr end = begin + RoundUpTo(size, GetPageSizeCached());
  // What was mapped there before is cut out.
  for (uptr i = shared_count; i-- > 0;) {
    const SharedRange range = shared_ranges[i];
    if (range.begin >= end || range.end <= begin)
      continue;
    shared_ranges[i] = shared_ranges[--shared_count];
    if (range.begin < begin)
      AddShared(range.begin, begin);
    if (range.end > end)
      AddShared(end, range.end);
  }
  if (shared)
    AddShared(begin, end);
}

void LocationState::GiveUpWeak(ThreadState *thr) {
  if (weak_->hardware)
    return;
  if (!weak_->is_new) {
    RuntimeClock clock;
    weak_->JoinReleased(&clock);
    weak_->EndLife();
    sequences_.ReleaseStore(flags()->release_sequence, thr->tid, clock.clock());
    atomic_store(&id_, thr->heddle.Clocks(thr).NextId(true), memory_order_release);
  }
  weak_->hardware = true;
}

//===-- Operations --------------------------------------------------------===//

namespace {

// Answers the engine's questions.
struct Choices {
  WeakThread *thread;
  WeakLocation *location;
  ControlledThread *controlled; // null if nobody may be asked
  bool plain = false;           // nothing unusual is to happen

  // A store becomes visible in finite time: see docs/weak-memory.md.
  u32 Read(u32 options, const Views &views) {
    if (plain || thread->MustSeeNewest(location))
      return 0;
    if (controlled)
      return control->ChooseRead(controlled->id, options, views);
    return RuntimePolicy::kConcurrent ? thread->random.Below(options) : 0;
  }
  bool Spurious() {
    if (plain)
      return false;
    if (controlled)
      return control->ChooseSpurious();
    return RuntimePolicy::kConcurrent && thread->random.Below(16) == 0;
  }
};

StoredValue Stored(ThreadState *thr, uptr pc, WeakLocation *location, u64 bits, bool controlled) {
  StoredValue value;
  value.bits = bits;
  value.pc = pc;
  value.tick = controlled ? control->scheduler().Ticks() : 0;
  value.serial = ++location->serial;
  value.tid = thr->tid;
  value.sid_bits = u8(thr->fast_state.sid());
  value.epoch_bits = u16(thr->fast_state.epoch());
  location->last = bits;
  return value;
}

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
      thread_(ThreadOf(thr)),
      sync_(ctx->metamap.GetSyncOrCreate(thr, pc, reinterpret_cast<uptr>(a), false)),
      shadow_(shadow) {
  thr->heddle.TakeSynced(); // by the lock just taken
  if (Scheduled()) {
    mutex.Lock();
  } else {
    sync_->mtx.Lock();
    // Another operation may have looked at the shadow, and not found a plain write any
    // more that we have seen: that would come to life again.
    shadow_ = ShadowCells(a);
  }
  thread_->Refresh(thr, synced_before_);
  WeakLocation *location = sync_->heddle.weak();
  const uptr addr = reinterpret_cast<uptr>(a);
  if (UNLIKELY(!location)) {
    location = WeakLocation::New();
    location->size = size;
    location->hardware = size > 8 || IsShared(addr) || Overlaps(thr, addr, size);
    location->is_new = true;
    location->LookOut(addr);
    location->id = WeakLocation::NewId();
    sync_->heddle.SetWeak(location);
  } else if (UNLIKELY(location->size != size)) {
    sync_->heddle.GiveUpWeak(thr);
    location->size = max(location->size, size);
  }
  if (LIKELY(!location->hardware))
    location_ = location;
}

WeakOperation::~WeakOperation() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  // What memory holds may not be the last in modification order any more.
  if (UNLIKELY(stale_) && mograph)
    location_->Settle(sync_->addr);
  Scheduled() ? mutex.Unlock() : sync_->mtx.Unlock();
}

// What happened to the location between the last operation and this one.
void WeakOperation::Meet(u64 memory) {
  const PlainAccess plain = location_->AccessedPlainly(sync_->addr, shadow_);
  if (UNLIKELY(location_->is_new)) {
    location_->is_new = false;
    location_->BeginLife(memory);
  } else if (UNLIKELY(plain == PlainAccess::kWrite)) {
    NobodyHasNewest();
    location_->EndLife();
    location_->BeginLife(memory);
  } else if (UNLIKELY(location_->last != memory)) {
    NobodyHasNewest();
    location_->GoOn(memory);
  } else if (UNLIKELY(plain == PlainAccess::kRead) && mograph && !location_->Settled()) {
    // Who reads plainly comes after all stores, and has taken what memory holds for the
    // last in modification order: so it is.
    location_->GoOn(memory);
  }
}

void WeakOperation::Loaded(const StoredValue &value, Order order) {
  const u32 newer = location_->serial - value.serial;
  if (UNLIKELY(statistics))
    CountLoad(pc_, value.pc, newer);
  thread_->Loaded(location_, value.serial, newer);
  if (UNLIKELY(newer))
    NoteStale(value, newer, kAccessRead);
  else
    HasNewest(IsAcquire(order));
}

// The thread has come to the newest store, and has acquired it perhaps.
void WeakOperation::HasNewest(bool acquired) {
  if (Scheduled())
    return;
  acquired = acquired || location_->InBuffer()->LatestIsKnownTo(thread_->model);
  sync_->heddle.SetNewest(thread_->newest.AddTo(sync_->heddle.Id(), acquired));
}

// There is going to be another newest store: before anybody can come to know of it,
// from memory or by the order of seq_cst operations.
void WeakOperation::NobodyHasNewest() {
  sync_->heddle.SetNewest(kNeverReleased);
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

void WeakOperation::NoteStale(const StoredValue &value, u32 newer, AccessType access) {
  stale_ = true;
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

u64 WeakOperation::Load(u64 memory, Order order) {
  Meet(memory);
  if (UNLIKELY(sync_->clock && IsAcquire(order))) { // an annotation's
    thr_->clock.Acquire(sync_->clock);
    thread_->model.Changed();
  }
  Choices choices{thread_, location_, Asking(thr_)};
  StoredValue value = buffer
                          ? buffer->Load(&thread_->model, location_->InBuffer(), order, choices)
                          : mograph->Load(&thread_->model, location_->InMograph(), order, choices);
  Loaded(value, order);
  return value.bits;
}

void WeakOperation::Store(u64 memory, u64 bits, Order order) {
  Meet(memory);
  NobodyHasNewest();
  thread_->Stored();
  StoredValue value = Stored(thr_, pc_, location_, bits, Asking(thr_));
  if (buffer)
    buffer->Store(&thread_->model, location_->InBuffer(), value, order);
  else
    mograph->Store(&thread_->model, location_->InMograph(), value, order);
  HasNewest(false);
}

u64 WeakOperation::Rmw(u64 memory, u64 (*apply)(u64, u64), u64 operand, Order order) {
  Meet(memory);
  NobodyHasNewest();
  thread_->Stored();
  Choices choices{thread_, location_, Asking(thr_)};
  auto modify = [&](const StoredValue &old) {
    return Stored(thr_, pc_, location_, apply(old.bits, operand), choices.controlled);
  };
  StoredValue old =
      buffer ? buffer->Rmw(&thread_->model, location_->InBuffer(), modify, order)
             : mograph->Rmw(&thread_->model, location_->InMograph(), modify, order, choices);
  const u32 newer = location_->serial - 1 - old.serial;
  if (UNLIKELY(statistics))
    CountLoad(pc_, old.pc, newer);
  if (newer)
    NoteStale(old, newer, kAccessWrite);
  HasNewest(IsAcquire(order));
  return old.bits;
}

bool WeakOperation::CompareExchange(u64 memory, u64 *expected, u64 desired, Order order,
                                    Order failure, bool weak, bool sure) {
  Meet(memory);
  if (memory == *expected)
    NobodyHasNewest();
  Choices choices{thread_, location_, Asking(thr_), sure};
  StoredValue found{}, store = Stored(thr_, pc_, location_, desired, choices.controlled);
  found.bits = *expected;
  thread_->defers_release = !sure; // else it has been announced
  if (buffer ? buffer->CompareExchange(&thread_->model, location_->InBuffer(), &found, store, order,
                                       failure, weak, choices)
             : mograph->CompareExchange(&thread_->model, location_->InMograph(), &found, store,
                                        order, failure, weak, choices)) {
    thread_->Stored();
    thread_->defers_release = false;
    stale_ = mograph && found.serial + 1 != location_->serial;
    if (UNLIKELY(statistics))
      CountLoad(pc_, found.pc, stale_);
    HasNewest(IsAcquire(order));
    return true;
  }
  thread_->defers_release = false;
  location_->serial--; // nothing was stored
  location_->last = memory;
  *expected = found.bits;
  Loaded(found, failure);
  return false;
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
  WeakThread *thread = ThreadOf(thr);
  SpinMutexLock lock(&mutex);
  thread->Refresh(thr, synced);
  buffer ? buffer->Fence(&thread->model, order) : mograph->Fence(&thread->model, order);
}

//===-- Finite visibility -------------------------------------------------===//

bool WeakThread::MustSeeNewest(const WeakLocation *location) const {
  const Spin &spin = spins[location->id % kSpins];
  return loads >= kMaxLoads || (spin.location == location->id && spin.loads >= kMaxStaleLoads);
}

void WeakThread::Loaded(const WeakLocation *location, u32 serial, u32 newer) {
  loads++;
  Spin &spin = spins[location->id % kSpins];
  if (!newer || spin.location != location->id || spin.serial != serial)
    spin = {location->id, serial, 0};
  spin.loads++;
}

//===-- From the flags ----------------------------------------------------===//

void StartWeakMemory() {
  const WeakMemory kind = flags()->weak_memory;
  if (kind == WeakMemory::kOff)
    return;
  auto refuse = [](const char *message) {
    Printf("ERROR: ThreadSanitizer: %s.\n", message);
    Die();
  };
  const bool scheduled = flags()->schedule != Schedule::kNone;
  if (flags()->exact_happens_before == ExactHappensBefore::kOff)
    refuse("weak_memory needs exact_happens_before=1");
  if (kind == WeakMemory::kMograph && !scheduled)
    refuse("weak_memory=mograph needs a schedule: add schedule=random, or another strategy, or "
           "take weak_memory=buffer");
  if (kind == WeakMemory::kMograph && flags()->release_sequence == ReleaseSequenceRules::kCxx11)
    refuse("weak_memory=mograph knows release_sequence=cxx20 only; weak_memory=buffer knows both");
  if (flags()->store_history < 1 || flags()->store_history > 4096)
    refuse("store_history must be 1 to 4096");
  if (flags()->prune_window < 1 || flags()->prune_window > 1000000)
    refuse("prune_window must be 1 to 1000000");
  RuntimePolicy::kConcurrent = !scheduled;
  if (kind == WeakMemory::kBuffer) {
    BufferOptions options;
    options.history = u32(flags()->store_history);
    options.release_sequence = flags()->release_sequence;
    buffer = NewEngine<Buffer>(options);
  } else {
    MographOptions options;
    if (flags()->prune == Pruning::kAggressive)
      options.window = u32(flags()->prune_window);
    mograph = NewEngine<Mograph>(options);
  }
  weak_memory = true;
}

} // namespace __heddle
