//===-- heddle_weak_locations.cpp -----------------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The life of locations: see the head of heddle_weak_memory.h.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_happens_before.h"
#include "heddle/rtl/heddle_weak_impl.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

u8 WeakExecution::current;
atomic_uint32_t WeakExecution::locations;

void WeakLocation::BeginLife(WideValue memory) {
  StoredValue initial{};
  initial.set_value(memory);
  initial.tid = kInvalidTid;
  in_mograph = !buffer_engine;
  if (buffer_engine)
    new (history) Buffer::Location(initial);
  else
    new (history) Mograph::Location(mograph_engine, initial);
  serial = 0;
  SetLast(memory);
}

// Nobody knows who wrote there, or with which clock: that is no reason to forget
// what was released before.
void WeakLocation::GoOn(WideValue memory) {
  RuntimeClock clock;
  JoinReleased(&clock);
  EndLife();
  BeginLife(memory);
  buffer_engine ? InBuffer()->SetInitiallyReleased(clock)
                : InMograph()->SetInitiallyReleased(clock);
}

void WeakLocation::JoinReleased(RuntimeClock *clock) {
  if (hardware || is_new)
    return;
  in_mograph ? InMograph()->JoinReleased(clock) : InBuffer()->JoinReleased(clock);
}

void WeakLocation::EndLife() {
  if (in_mograph)
    InMograph()->~Location();
  else
    InBuffer()->~Location();
}

// Of the eight bytes that share a shadow, those of a location, as in Shadow::access().
static u8 BytesInCell(uptr addr, u32 size) {
  return static_cast<u8>(((1u << min<u32>(size, kShadowCell)) - 1) << (addr % kShadowCell));
}

bool WeakLocation::Knows(u32 plain_access) const {
  const u32 *accesses = has_many_plain ? many_plain : few_plain;
  for (u32 i = 0; i < (has_many_plain ? kShadowCnt : ARRAY_SIZE(few_plain)); i++)
    if (accesses[i] == plain_access)
      return true;
  return false;
}

void WeakLocation::SetPlain(const u32 *accesses, u32 count) {
  if (LIKELY(count <= ARRAY_SIZE(few_plain))) {
    if (UNLIKELY(has_many_plain))
      FreeRecord(many_plain);
    has_many_plain = false;
    internal_memcpy(few_plain, accesses, sizeof(few_plain));
    return;
  }
  if (!has_many_plain)
    many_plain = static_cast<u32 *>(AllocateRecord(kShadowCnt * sizeof(u32)));
  has_many_plain = true;
  internal_memcpy(many_plain, accesses, kShadowCnt * sizeof(u32));
}

void WeakLocation::Free() {
  if (!hardware && !is_new)
    EndLife();
  if (has_many_plain)
    FreeRecord(many_plain);
  FreeRecord(this);
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
  const RawShadow *cells = MemToShadow(addr);
  const auto lost = LostWrites::Of(cells).FindSince(&lost_seen, cells, [&](const Shadow &write) {
    return (write.access() & bytes) && !Knows(static_cast<u32>(write.raw()));
  });
  written |= lost == LostWrites::Found::kYes;
  has_shadow = any;
  SetPlain(accesses, count);
  if (written)
    return PlainAccess::kWrite;
  if (lost == LostWrites::Found::kPerhaps)
    return PlainAccess::kPerhapsWrite;
  return read ? PlainAccess::kRead : PlainAccess::kNone;
}

void LocationState::EndWeak() {
  SetNewest(kNeverReleased); // those who have the newest store look at weak_
  __atomic_thread_fence(__ATOMIC_RELEASE);
  if (Scheduled()) {
    SpinMutexLock lock(&engine_mutex);
    weak_->Free();
  } else {
    weak_->Free();
  }
  weak_ = nullptr;
}

void LocationState::StartAnew() {
  if (weak_)
    EndWeak();
  Reset();
}

namespace {

// Other locations that share memory with this one have no history, like this one.
bool Overlaps(ThreadState *thr, uptr addr, u32 size) {
  bool overlaps = false;
  for (uptr cell = RoundDownTo(addr - 15, kMetaShadowCell); cell < addr + size;
       cell += kMetaShadowCell) {
    if (!(*MemToMeta(cell) & kMetaSync))
      continue;
    for (uptr other = cell; other < min(cell + kMetaShadowCell, addr + size); other++) {
      SyncVar *s = other != addr ? ctx->metamap.GetSyncIfExists(other) : nullptr;
      WeakLocation *location = s ? s->heddle.weak() : nullptr;
      if (location && other + location->size > addr) {
        overlaps = true;
        // Without a schedule the other location is not ours to change.
        if (Scheduled())
          s->heddle.GiveUpWeak(thr);
        else
          __atomic_store_n(&location->to_be_given_up, true, __ATOMIC_RELAXED);
      }
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

} // namespace

bool IsShared(uptr addr) {
  if (LIKELY(!shared_count))
    return false;
  SpinMutexLock lock(&shared_mutex);
  for (uptr i = 0; i < shared_count; i++)
    if (addr >= shared_ranges[i].begin && addr < shared_ranges[i].end)
      return true;
  return false;
}

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

// With as much room as the engine needs.
WeakLocation *WeakLocation::New(ThreadState *thr, uptr addr, u32 size) {
  constexpr uptr kHead = __builtin_offsetof(WeakLocation, history);
  // The next exploration may have another.
  const uptr room = flags()->weak_memory == WeakMemory::kOff ? sizeof(history)
                    : buffer_engine                          ? sizeof(Buffer::Location)
                                                             : sizeof(Mograph::Location);
  auto *location = static_cast<WeakLocation *>(
      AllocateRecord(kHead + (size > sizeof(u64) ? sizeof(history) + sizeof(u64) : room)));
  internal_memset(location, 0, kHead);
  location->size = u8(size);
  location->hardware = IsShared(addr) || Overlaps(thr, addr, size);
  location->is_new = true;
  location->lost_seen = LostWrites::Of(MemToShadow(addr)).count();
  location->id = WeakExecution::NextId();
  location->execution = WeakExecution::current;
  return location;
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

} // namespace __heddle
