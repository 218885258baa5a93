//===-- heddle_weak_policy.h - The memory model on the runtime's clocks ---===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engines' Policy in the runtime. Their clocks are ThreadSanitizer's, so that
// happens-before from any other source (mutexes, the life of threads, ...) is theirs
// too, and what they find out is what the race detector knows.
//
// A thread comes to another slot when the epochs of its own are used up, and gives
// it up at its end. Two threads that have had the same slot count as one: that may
// hide behaviours, and shows none that is wrong.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_WEAK_POLICY_H
#define HEDDLE_RTL_WEAK_POLICY_H

#include "heddle/model/buffer.h"
#include "heddle/model/mograph.h"
#include "heddle/rtl/heddle_memory.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "tsan_rtl.h"

namespace __heddle {

// ThreadState::clock.
struct RuntimeThreadClock {
  __tsan::VectorClock *clock;
  __tsan::ThreadState *thr; // whose it is; null before the thread has begun

  u32 Get(u32 slot) const { return u32(clock->Get(__tsan::Sid(slot))); }
  void Set(u32 slot, u32 epoch) { clock->Set(__tsan::Sid(slot), __tsan::Epoch(epoch)); }
  template <class Clock> void Join(const Clock &other) { clock->Acquire(&other.clock()); }
};

// The next epoch begins, unless WeakOperation::EndRelease is to follow.
void Advance(RuntimeThreadClock *clock, u32);

class RuntimeClock {
public:
  RuntimeClock() = default;
  explicit RuntimeClock(const RuntimeThreadClock &other) { clock_ = *other.clock; }
  RuntimeClock &operator=(const RuntimeThreadClock &other) {
    clock_ = *other.clock;
    return *this;
  }
  u32 Get(u32 slot) const { return u32(clock_.Get(__tsan::Sid(slot))); }
  void Set(u32 slot, u32 epoch) { clock_.Set(__tsan::Sid(slot), __tsan::Epoch(epoch)); }
  void Join(const RuntimeClock &other) { clock_.Acquire(&other.clock_); }
  const __tsan::VectorClock &clock() const { return clock_; }

private:
  __tsan::VectorClock clock_;
};

// The value of a store, and who stored it. Stores are equal if their values are.
struct StoredValue {
  u64 bits;
  u64 high_bits; // of 16 bytes
  u64 tick : 48; // of the schedule
  u64 epoch_bits : 16;
  u64 pc : 56;
  u64 sid_bits : 8;
  __tsan::Tid tid;

  __tsan::Sid sid() const { return __tsan::Sid(sid_bits); }
  __tsan::Epoch epoch() const { return __tsan::Epoch(epoch_bits); }

  WideValue value() const { return WideValue(high_bits) << 64 | bits; }
  void set_value(WideValue value) {
    bits = static_cast<u64>(value);
    high_bits = static_cast<u64>(value >> 64);
  }

  bool operator==(const StoredValue &other) const {
    return bits == other.bits && high_bits == other.high_bits;
  }
  bool operator!=(const StoredValue &other) const { return !(*this == other); }
};

// What the buffer engine keeps of it: it has no histories of 16 bytes. The tick is kept apart,
// since there is none without a schedule, and the epoch is in the engine's record.
struct KeptValue {
  u64 bits;
  u64 pc : 48;
  u64 tid : 16;

  static constexpr u16 kUnknown = 0xffff;

  void Keep(const StoredValue &from) {
    bits = from.bits;
    pc = from.pc;
    tid = static_cast<u32>(from.tid) < kUnknown ? static_cast<u16>(from.tid) : kUnknown;
  }
  u64 Get() const { return bits; }
  StoredValue Restore(u32 slot, u32 epoch, const u64 *tick) const {
    StoredValue value{};
    value.bits = bits;
    value.tick = tick ? *tick : 0;
    value.epoch_bits = epoch;
    value.pc = pc;
    value.sid_bits = slot;
    value.tid = tid == kUnknown ? __tsan::kInvalidTid : static_cast<__tsan::Tid>(tid);
    return value;
  }
  static bool HasNote(const StoredValue &value) { return value.tick; }
  static u64 NoteOf(const StoredValue &value) { return value.tick; }
};

struct RuntimePolicy {
  using Clock = RuntimeClock;
  using ThreadClock = RuntimeThreadClock;
  using Value = StoredValue;

  struct Compact {
    using Slot = u8;
    using Epoch = u16; // of 14 bits
    using Value = KeptValue;
    using Note = u64;
    using Read = u64;
  };
  static_assert(__tsan::kEpochBits < 16 && __tsan::kThreadSlotCount <= 256);

  static void *Allocate(uptr bytes) { return AllocateRecord(bytes); }
  static void Free(void *memory) { FreeRecord(memory); }

  static bool kConcurrent; // there is no schedule
  static constexpr bool kSlotsReused = true;
  static u32 FirstEpoch(u32 slot) { return first_epoch[slot]; }

  static u32 first_epoch[__tsan::kThreadSlotCount];
};

using ModelThreadState = ModelThread<RuntimePolicy>;
using Buffer = BufferEngine<RuntimePolicy>;
using Mograph = MographEngine<RuntimePolicy>;

} // namespace __heddle

#endif // HEDDLE_RTL_WEAK_POLICY_H
