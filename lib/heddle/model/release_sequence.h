//===-- release_sequence.h - What an acquire load of a location gains -----===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The release sequences that the latest store to one atomic location is part
// of, kept as the join of the clocks of their heads: L in figure 3.12 of
// Lidbury's thesis, the reads-from clock of the latest store in figure 7 of the
// C11Tester paper. Four rules change it, one per kind of store:
//
//   [RELEASE STORE]  L := C_t
//   [RELAXED STORE]  L := F_t, the clock of the thread's last release fence;
//                    2011's rules add the sequence this thread heads itself
//   [RELEASE RMW]    L := L u C_t     RMWs continue every sequence
//   [RELAXED RMW]    L := L u F_t
//
// C++20 and C++11 differ in one point ([atomics.order], P0982): since C++20 a
// store that is not an RMW ends every sequence, whoever wrote it; in C++11 a
// thread's own stores continued the sequences it headed. So 2011's rules must
// know each head's clock by itself (V in figure 3.12, a vector of vector clocks
// that grows on demand). As the thesis notes for its T_m, one head alone needs
// no copy: its clock is L.
//
// A release fence is published by every relaxed store that follows it, so the
// locations share the fence's clock instead of copying it.
//
// The clock and where it is allocated are the Policy's:
//   typename Clock                      copy-assignable
//   static void Join(Clock &, const Clock &)
//   static T *Make<T>(), void Destroy(T *)
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_RELEASE_SEQUENCE_H
#define HEDDLE_MODEL_RELEASE_SEQUENCE_H

#include "heddle/choice/types.h"

namespace __heddle {

enum class ReleaseSequenceRules { kCxx20, kCxx11 };

// A clock held by a location or a fence: none, one of its own, or one shared
// with others. All zeroes is none.
template <class Policy> class ClockHandle {
public:
  using Clock = typename Policy::Clock;

  const Clock *Get() const {
    return bits_ & kShared ? AsShared()->clock : bits_ & kSpare ? nullptr : AsOwned();
  }

  // Becomes a copy of `clock` that nobody shares.
  void Assign(const Clock &clock) {
    if (bits_ & kShared)
      Release();
    if (!bits_)
      bits_ = reinterpret_cast<uptr>(Policy::template Make<Clock>());
    bits_ &= ~kSpare;
    *AsOwned() = clock;
  }

  // Becomes a copy of `clock` that other handles can share.
  void AssignShared(const Clock &clock) {
    // Nobody else can come to hold it while this handle is the only one.
    if (!(bits_ & kShared) || __atomic_load_n(&AsShared()->refs, __ATOMIC_ACQUIRE) != 1) {
      Release();
      Shared *shared = Policy::template Make<Shared>();
      shared->clock = Policy::template Make<Clock>();
      shared->refs = 1;
      bits_ = reinterpret_cast<uptr>(shared) | kShared;
    }
    *AsShared()->clock = clock;
  }

  // Becomes another name for what `other` holds: none, or a shared clock.
  void Share(const ClockHandle &other) {
    if (!other.Get())
      return Clear();
    if (bits_ == other.bits_)
      return;
    Release();
    bits_ = other.bits_;
    __atomic_fetch_add(&AsShared()->refs, 1, __ATOMIC_RELAXED);
  }

  void Join(const Clock &clock) {
    const Clock *current = Get();
    if (!current)
      return Assign(clock);
    if (bits_ & kShared) {
      ClockHandle copy{};
      copy.Assign(*current);
      Release();
      bits_ = copy.bits_;
    }
    Policy::Join(*AsOwned(), clock);
  }

  // Becomes none, but keeps memory of its own for the next Assign: locations
  // whose sequence was ended once tend to have it ended again.
  void Clear() {
    if (bits_ & kShared)
      Release();
    else if (bits_)
      bits_ |= kSpare;
  }

  // Becomes none and keeps nothing.
  void Release() {
    if (bits_ & kShared) {
      Shared *shared = AsShared();
      if (__atomic_fetch_sub(&shared->refs, 1, __ATOMIC_ACQ_REL) == 1) {
        Policy::Destroy(shared->clock);
        Policy::Destroy(shared);
      }
    } else if (bits_) {
      Policy::Destroy(AsOwned());
    }
    bits_ = 0;
  }

private:
  // Two pieces: with the count in one, a clock would need the allocator's next
  // larger class of sizes.
  struct Shared {
    Clock *clock;
    u32 refs;
  };

  // Two bits that an aligned pointer leaves free.
  static constexpr uptr kShared = 1;
  static constexpr uptr kSpare = 2; // points to memory of its own, holds no clock

  Clock *AsOwned() const { return reinterpret_cast<Clock *>(bits_ & ~kSpare); }
  Shared *AsShared() const { return reinterpret_cast<Shared *>(bits_ & ~kShared); }

  uptr bits_;
};

// The release sequences of one location. All zeroes is the initial state: its
// owner may live in memory that is only ever cleared.
template <class Policy> class ReleaseSequences {
public:
  using Clock = typename Policy::Clock;
  using Handle = ClockHandle<Policy>;
  using Rules = ReleaseSequenceRules;

  // L: what an acquire load of the latest store joins, if anything.
  const Clock *Released() const { return released_.Get(); }

  void ReleaseStore(Rules rules, u32 thread, const Clock &clock) {
    ForgetHeads();
    released_.Assign(clock);
    if (rules == Rules::kCxx11)
      sole_head_ = Name(thread);
  }

  void RelaxedStore(Rules rules, u32 thread, const Handle &fence) {
    if (rules == Rules::kCxx20)
      return released_.Share(fence);
    if (sole_head_ == Name(thread) && !fence.Get())
      return; // its own sequence goes on, and there is no other
    NameSoleHead();
    Head *own = TakeHead(thread);
    ForgetHeads();
    released_.Share(fence);
    if (!own)
      return;
    const Clock *clock = own->clock.Get();
    released_.Join(*clock);
    if (fence.Get())
      PushHead(own);
    else
      sole_head_ = Name(thread), Discard(own);
  }

  // `includes`: the clock is known to include L, as after an acquire.
  void ReleaseRmw(Rules rules, u32 thread, const Clock &clock, bool includes) {
    if (rules == Rules::kCxx11) {
      NameSoleHead();
      if (!released_.Get()) {
        sole_head_ = Name(thread);
      } else {
        Head *own = TakeHead(thread);
        if (!own)
          own = NewHead(thread);
        own->clock.Assign(clock);
        PushHead(own);
      }
    }
    if (includes)
      released_.Assign(clock);
    else
      released_.Join(clock);
  }

  void RelaxedRmw(Rules rules, const Handle &fence) {
    const Clock *clock = fence.Get();
    if (!clock)
      return;
    if (rules == Rules::kCxx11)
      NameSoleHead();
    if (released_.Get())
      released_.Join(*clock);
    else
      released_.Share(fence);
  }

  // Back to the initial state, with no memory held.
  void Reset() {
    ForgetHeads();
    released_.Release();
  }

private:
  struct Head {
    Head *next;
    Handle clock;
    u32 thread;
  };

  static u32 Name(u32 thread) { return thread + 1; } // 0 is nobody

  // Gives the sole head, whose clock has been L so far, a clock of its own.
  void NameSoleHead() {
    if (!sole_head_)
      return;
    Head *head = NewHead(sole_head_ - 1);
    head->clock.Assign(*released_.Get());
    PushHead(head);
    sole_head_ = 0;
  }

  Head *NewHead(u32 thread) {
    Head *head = Policy::template Make<Head>();
    *head = Head{nullptr, Handle{}, thread};
    return head;
  }

  void PushHead(Head *head) {
    head->next = heads_;
    heads_ = head;
  }

  Head *TakeHead(u32 thread) {
    for (Head **link = &heads_; *link; link = &(*link)->next) {
      if ((*link)->thread == thread) {
        Head *head = *link;
        *link = head->next;
        return head;
      }
    }
    return nullptr;
  }

  void Discard(Head *head) {
    head->clock.Release();
    Policy::Destroy(head);
  }

  void ForgetHeads() {
    sole_head_ = 0;
    while (Head *head = heads_) {
      heads_ = head->next;
      Discard(head);
    }
  }

  Handle released_;
  Head *heads_;   // V, where it holds more than L; 2011's rules only
  u32 sole_head_; // the thread that heads the only sequence, if its clock is L
};

} // namespace __heddle

#endif // HEDDLE_MODEL_RELEASE_SEQUENCE_H
