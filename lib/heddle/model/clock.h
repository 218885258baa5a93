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
//   Policy::kSlotsReused     whether a slot may pass from one thread to another
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
  void JoinInto(Clock *clock) const {
    if (vector_)
      clock->Join(vector_->clock);
    if (clock->Get(slot_) < epoch_)
      clock->Set(slot_, epoch_);
  }

  // Whether `clock` is known to include this one. A clock that has a thread's
  // epoch has all that the thread released with it, unless the slot had another
  // owner before.
  bool KnownTo(const Clock &clock) const {
    return !Policy::kSlotsReused && !joined_ && clock.Get(slot_) >= epoch_;
  }

  // Becomes `vector`, and `epoch` for the thread in `slot`. Shares the vector.
  void Assign(Vector *vector, u32 slot, u32 epoch) {
    Hold(vector);
    Clear();
    vector_ = vector;
    slot_ = slot;
    epoch_ = epoch;
  }
  void Share(const Released &other) {
    Assign(other.vector_, other.slot_, other.epoch_);
    joined_ = other.joined_;
  }

  // Becomes the join of itself and `other`.
  void Join(const Released &other) {
    if (other.Empty())
      return;
    if (Empty())
      return Share(other);
    Vector *joined = NewVector();
    JoinInto(&joined->clock);
    other.JoinInto(&joined->clock);
    TakeJoined(joined);
  }

  // Becomes `vector`, the join of any number of releases. Takes the reference.
  void TakeJoined(Vector *vector) {
    Clear();
    vector_ = vector;
    joined_ = true;
  }

  void Clear() {
    Drop(vector_);
    vector_ = nullptr;
    slot_ = epoch_ = 0;
    joined_ = false;
  }

  // One reference is the caller's.
  static Vector *NewVector() {
    auto *vector = static_cast<Vector *>(Policy::Allocate(sizeof(Vector)));
    vector->clock = Clock();
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
  Vector *vector_ = nullptr;
  u32 slot_ = 0;
  u32 epoch_ = 0;
  bool joined_ = false; // of more than one release; slot_ and epoch_ are unused
};

} // namespace __heddle

#endif // HEDDLE_MODEL_CLOCK_H
