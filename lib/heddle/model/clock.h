//===-- clock.h - Vector clocks of the memory model -----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engines are templates over a Policy:
//
//   Policy::Clock            u32 Get(slot) const, void Set(slot, u32),
//                            void Join(const Clock &), copyable, zero when new
//   Policy::Allocate(bytes), Policy::Free(pointer)
//   Policy::kConcurrent      whether clocks are shared by threads that run in
//                            parallel (reference counts are atomic then)
//   Policy::kSlotsReused     whether a slot may pass from one thread to another. If
//                            so, Policy::FirstEpoch(slot) is an epoch since which
//                            the slot has been that of the thread that has it now
//   Policy::ThreadClock      what a thread's clock is kept in, if not in a Clock: to
//                            be had like one, and to be assigned to one. Advance
//                            may be overloaded for it
//
// A slot is a thread's place in a clock. Epochs begin with 1, and an epoch of 0
// is before everything: the initial value of a location has it.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_CLOCK_H
#define HEDDLE_MODEL_CLOCK_H

#include "heddle/choice/types.h"

namespace __heddle {

// A clock for a fixed number of threads, for tests and the litmus explorer.
template <u32 kSlots> class SmallClock {
public:
  u32 Get(u32 slot) const { return time_[slot]; }
  void Set(u32 slot, u32 epoch) { time_[slot] = epoch; }
  void Join(const SmallClock &other) {
    for (u32 i = 0; i < kSlots; i++)
      time_[i] = time_[i] < other.time_[i] ? other.time_[i] : time_[i];
  }

private:
  u32 time_[kSlots] = {};
};

// The thread in `slot`, whose clock this is, begins its next epoch.
template <class Clock> void Advance(Clock *clock, u32 slot) {
  clock->Set(slot, clock->Get(slot) + 1);
}

// Policy::ThreadClock, or Policy::Clock where there is none.
template <class T> struct VoidOf {
  using Type = void;
};
template <class Policy, class = void> struct ThreadClockOf {
  using Type = typename Policy::Clock;
};
template <class Policy>
struct ThreadClockOf<Policy, typename VoidOf<typename Policy::ThreadClock>::Type> {
  using Type = typename Policy::ThreadClock;
};

// What an acquire of a store joins: the clock its release sequences released.
//
// Most of it is the clock of one thread at one of its releases. Two releases of
// a thread that acquired nothing in between differ in the thread's own epoch
// only, so that is kept apart, and the rest is shared: such a release costs no
// new vector.
//
// Plain data: a copy holds no reference, and takes over the original's.
template <class Policy> class Released {
public:
  using Clock = typename Policy::Clock;

  // A vector that several Released share. Never changes while shared.
  struct Vector {
    Clock clock;
    u32 refs;
  };

  bool Empty() const { return !vector_ && !epoch_; }
  u32 Get(u32 slot) const {
    u32 shared = vector_ ? vector_->clock.Get(slot) : 0;
    return slot == slot_ && epoch_ > shared ? epoch_ : shared;
  }
  template <class AnyClock> void JoinInto(AnyClock *clock) const {
    if (vector_)
      clock->Join(vector_->clock);
    if (epoch_ && clock->Get(slot_) < epoch_)
      clock->Set(slot_, epoch_);
  }

  // Whether `clock` is known to include this one. A clock that has a thread's
  // epoch has all that the thread released with it, unless it has it from another
  // thread that came to the slot later.
  template <class AnyClock> bool KnownTo(const AnyClock &clock) const {
    if (slot_ == kJoined || clock.Get(slot_) < epoch_)
      return false;
    if constexpr (Policy::kSlotsReused)
      return epoch_ >= Policy::FirstEpoch(slot_);
    return true;
  }

  // Becomes `vector`, and `epoch` for the thread in `slot`. Shares the vector.
  void Assign(Vector *vector, u32 slot, u32 epoch) {
    Hold(vector);
    Clear();
    vector_ = vector;
    slot_ = slot;
    epoch_ = epoch;
  }
  void Share(const Released &other) { Assign(other.vector_, other.slot_, other.epoch_); }

  // Becomes the join of itself and `other`.
  void Join(const Released &other) {
    if (other.Empty())
      return;
    if (Empty())
      return Share(other);
    Vector *joined = NewVector(vector_ ? vector_->clock : Clock());
    JoinInto(&joined->clock);
    other.JoinInto(&joined->clock);
    TakeJoined(joined);
  }

  // Becomes `vector`, the join of any number of releases. Takes the reference.
  void TakeJoined(Vector *vector) {
    Clear();
    vector_ = vector;
    slot_ = kJoined;
  }

  void SetJoined(const Clock &clock) { TakeJoined(NewVector(clock)); }

  void Clear() {
    Drop(vector_);
    vector_ = nullptr;
    slot_ = epoch_ = 0;
  }

  // A copy of any clock. One reference is the caller's.
  template <class AnyClock> static Vector *NewVector(const AnyClock &clock) {
    auto *vector = static_cast<Vector *>(Policy::Allocate(sizeof(Vector)));
    vector->clock = clock;
    vector->refs = 1;
    return vector;
  }
  static void Hold(Vector *vector) {
    if (!vector)
      return;
    if (Policy::kConcurrent)
      __atomic_fetch_add(&vector->refs, 1, __ATOMIC_RELAXED);
    else
      vector->refs++;
  }
  static void Drop(Vector *vector) {
    if (!vector)
      return;
    u32 left = Policy::kConcurrent ? __atomic_sub_fetch(&vector->refs, 1, __ATOMIC_ACQ_REL)
                                   : --vector->refs;
    if (!left)
      Policy::Free(vector);
  }

private:
  static constexpr u32 kJoined = ~0u; // of more than one release; there is no epoch

  Vector *vector_ = nullptr;
  u32 slot_ = 0;
  u32 epoch_ = 0;
};

} // namespace __heddle

#endif // HEDDLE_MODEL_CLOCK_H
