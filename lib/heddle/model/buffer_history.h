//===-- buffer_history.h - The stores that a location remembers -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffer engine's queue of stores. A program may have many locations, most of
// which are only accessed in relaxed order, with a store or two that can still be
// read. So there is room for two in the history itself, and what few stores have is
// kept apart, from the first store of the location that has it: what was released,
// loads by more than one other thread, and what else the Policy has to say. A location
// that has such a store gets room for four.
//
// A Policy may have its values, slots and epochs kept in less than a Value and
// two u32 (CompactOf).
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_MODEL_BUFFER_HISTORY_H
#define HEDDLE_MODEL_BUFFER_HISTORY_H

#include "heddle/model/clock.h"
#include "heddle/model/placed.h"
#include "heddle/model/release_sequence.h"

namespace __heddle {

// Policy::Compact, or this where there is none:
//   Slot, Epoch    an epoch has a bit to spare
//   Value          what is kept of a Policy::Value
//   Note           what is kept of some of them besides
//   Read           what loads return
template <class Policy, class = void> struct CompactOf {
  using Slot = u32;
  using Epoch = u32;
  struct Note {};
  using Read = typename Policy::Value;
  struct Value {
    typename Policy::Value value;

    void Keep(const typename Policy::Value &from) { value = from; }
    Read Get() const { return value; }
    Read Restore(u32, u32, const Note *) const { return value; }
    static bool HasNote(const typename Policy::Value &) { return false; }
    static Note NoteOf(const typename Policy::Value &) { return {}; }
  };
};
template <class Policy>
struct CompactOf<Policy, typename VoidOf<typename Policy::Compact>::Type> : Policy::Compact {};

template <class Policy> class BufferHistory {
  using Compact = CompactOf<Policy>;
  using Slot = typename Compact::Slot;
  using Epoch = typename Compact::Epoch;

public:
  using Value = typename Policy::Value;
  using Clock = typename Policy::Clock;
  using ReleasedClock = Released<Policy>;

  // 2011's rules need each head's clock by itself.
  struct HeadPolicy {
    using Clock = typename Policy::Clock;
    static void Join(Clock &into, const Clock &from) { into.Join(from); }
    template <class T> static T *Make() {
      T *object = static_cast<T *>(Policy::Allocate(sizeof(T)));
      *object = T();
      return object;
    }
    template <class T> static void Destroy(T *object) { Policy::Free(object); }
  };
  using Heads = ReleaseSequences<HeadPolicy>;

  // A store. Plain data.
  class Record {
  public:
    u32 slot() const { return slot_; }
    u32 epoch() const { return epoch_; }
    bool sc() const { return sc_; }
    typename Compact::Read Get() const { return value_.Get(); }
    bool Is(const typename Compact::Read &value) const { return value_.Get() == value; }

  private:
    friend class BufferHistory;

    typename Compact::Value value_;
    Epoch epoch_ : 8 * sizeof(Epoch) - 1;
    Epoch sc_ : 1;     // written by a seq_cst operation, or since marked
    Epoch load_epoch_; // of the first load by another thread, or 0
    Slot slot_;
    Slot load_slot_;
  };

  // The initial value is a store that happens before everything.
  explicit BufferHistory(const Value &initial) { PushBack(initial, 0, 0, false, nullptr); }
  ~BufferHistory() {
    if (details_) {
      for (u32 i = 0; i < size_; i++)
        Forget(i);
      details_->heads.Reset();
    }
    FreeRoom();
  }
  BufferHistory(const BufferHistory &) = delete;
  BufferHistory &operator=(const BufferHistory &) = delete;

  u32 size() const { return size_; }
  u32 capacity() const { return 1u << log_capacity_; }
  bool full() const { return size_ == capacity(); } // it grows with the next store
  // Likewise, but not because that has something to be kept apart, and no other has.
  bool full_for(const ReleasedClock &released) const {
    return full() && (size_ > kInline || details_ || released.Empty());
  }
  bool at_start() const { return !first_; } // once in so many stores
  const Record &operator[](u32 i) const { return Records()[At(i)]; }
  const Record &Back() const { return (*this)[size_ - 1]; }

  // All that is known of a store.
  Value Restore(u32 i) const {
    const Record &record = (*this)[i];
    return record.value_.Restore(record.slot(), record.epoch(),
                                 details_ ? &details_->of[At(i)].note : nullptr);
  }
  // What an acquire of the store joins.
  __attribute__((always_inline)) const ReleasedClock &ReleasedBy(u32 i) const {
    static constexpr ReleasedClock kNothing{};
    return details_ ? details_->of[At(i)].released : kNothing;
  }
  void SetReleased(u32 i, const Clock &clock) {
    NeedDetails()->of[At(i)].released.SetJoined(clock);
  }

  // The first load of each thread that read the store.
  __attribute__((always_inline)) void AddLoad(u32 i, u32 slot, u32 epoch) {
    Record &record = Records()[At(i)];
    if (record.slot() == slot && record.epoch())
      return; // the store itself says as much
    if (!record.load_epoch_) {
      record.load_slot_ = Slot(slot);
      record.load_epoch_ = Epoch(epoch);
    } else if (record.load_slot_ != slot) {
      NeedDetails()->of[At(i)].loads.Add(slot, epoch);
    }
  }
  template <class AnyClock> bool AnyLoadHappensBefore(u32 i, const AnyClock &clock) const {
    const Record &record = (*this)[i];
    if (!record.load_epoch_)
      return false;
    return record.load_epoch_ <= clock.Get(record.load_slot_) ||
           (details_ && details_->of[At(i)].loads.AnyHappensBefore(clock));
  }

  // The store was written or read by a seq_cst operation, for the first time, when so many
  // fences had been executed.
  void MarkSeqCst(u32 i, u32 fences) {
    Record &record = Records()[At(i)];
    if (record.sc_)
      return;
    record.sc_ = true;
    if (fences)
      NeedDetails()->of[At(i)].loads.fences_before_seq_cst = fences;
  }
  u32 FencesBeforeSeqCst(u32 i) const {
    return details_ ? details_->of[At(i)].loads.fences_before_seq_cst : 0;
  }

  // Takes over the reference that `released` holds, which may be null.
  __attribute__((always_inline)) void PushBack(const Value &value, u32 slot, u32 epoch, bool sc,
                                               const ReleasedClock *released) {
    if (full())
      Grow();
    const bool detailed = (released && !released->Empty()) || Compact::Value::HasNote(value);
    if (detailed)
      NeedDetails();
    const u32 at = At(size_++);
    Record &record = Records()[at];
    record.value_.Keep(value);
    record.epoch_ = Epoch(epoch);
    record.sc_ = sc;
    record.load_epoch_ = 0;
    record.slot_ = Slot(slot);
    record.load_slot_ = 0;
    if (!details_)
      return;
    Details &details = details_->of[at];
    details = Details();
    if (!detailed)
      return;
    if (released)
      details.released = *released;
    details.note = Compact::Value::NoteOf(value);
  }
  void PopFront(u32 count) {
    if (details_)
      for (u32 i = 0; i < count; i++)
        Forget(i);
    first_ = u16((first_ + count) & (capacity() - 1));
    size_ = u16(size_ - count);
  }

  // Makes room for as many again.
  void Grow() { Move(log_capacity_ + 1, details_); }
  // Gives up room for more than one more.
  void Fit() {
    u32 log = details_ ? kLogDetailed : kLogInline;
    while ((1u << log) <= size_)
      log++;
    if (log < log_capacity_)
      Move(log, details_);
  }

  Heads &heads() { return NeedDetails()->heads; }

  u8 until_prune = 1; // stores; for the engine

private:
  static constexpr u32 kLogInline = 1, kInline = 1 << kLogInline;
  static constexpr u32 kLogDetailed = 2;

  // Loads after the first, and when there was one that is seq_cst. Plain data.
  class Loads {
  public:
    template <class AnyClock> bool AnyHappensBefore(const AnyClock &clock) const {
      for (u32 i = 0; i < size_; i++)
        if (marks_[i].epoch <= clock.Get(marks_[i].slot))
          return true;
      return false;
    }
    void Add(u32 slot, u32 epoch) {
      for (u32 i = 0; i < size_; i++)
        if (marks_[i].slot == slot)
          return;
      if (size_ == capacity_)
        Grow();
      marks_[size_++] = {Slot(slot), Epoch(epoch)};
    }
    void Free() {
      if (marks_)
        Policy::Free(marks_);
    }

  private:
    struct Mark {
      Slot slot;
      Epoch epoch;
    };

    void Grow() {
      const u32 capacity = capacity_ ? 2 * capacity_ : 4;
      Mark *marks = static_cast<Mark *>(Policy::Allocate(capacity * sizeof(Mark)));
      for (u32 i = 0; i < size_; i++)
        marks[i] = marks_[i];
      Free();
      marks_ = marks;
      capacity_ = u16(capacity);
    }

    Mark *marks_ = nullptr;
    u16 size_ = 0, capacity_ = 0;

  public:
    u32 fences_before_seq_cst = 0; // see MarkSeqCst; at the end it takes no room
  };

  // What few stores have. Plain data.
  struct Details {
    ReleasedClock released;
    Loads loads;
    typename Compact::Note note{};
  };
  // As many as there is room for, and the records behind them.
  struct DetailsOfAll {
    Heads heads;
    Details of[1];
  };
  static_assert(sizeof(Details) % alignof(Record) == 0);

  u32 At(u32 i) const { return (first_ + i) & (capacity() - 1); }
  Record *Records() { return capacity() > kInline ? heap_ : reinterpret_cast<Record *>(inline_); }
  const Record *Records() const { return const_cast<BufferHistory *>(this)->Records(); }

  void Forget(u32 i) {
    Details &details = details_->of[At(i)];
    details.released.Clear();
    details.loads.Free();
  }

  DetailsOfAll *NeedDetails() {
    if (!details_)
      Move(log_capacity_ > kLogDetailed ? log_capacity_ : kLogDetailed, true);
    return details_;
  }

  void FreeRoom() {
    if (details_)
      Policy::Free(details_);
    else if (capacity() > kInline)
      Policy::Free(heap_);
  }

  __attribute__((noinline)) void Move(u32 log_capacity, bool detailed) {
    const u32 to = 1u << log_capacity;
    alignas(Record) unsigned char small[kInline * sizeof(Record)];
    DetailsOfAll *details = nullptr;
    Record *records;
    if (detailed) {
      const uptr size = sizeof(DetailsOfAll) + (to - 1) * sizeof(Details);
      details = static_cast<DetailsOfAll *>(Policy::Allocate(size + to * sizeof(Record)));
      records = reinterpret_cast<Record *>(&details->of[to]);
      details->heads = details_ ? details_->heads : Heads();
      for (u32 i = 0; i < size_; i++)
        details->of[i] = details_ ? details_->of[At(i)] : Details();
    } else if (to > kInline) {
      records = static_cast<Record *>(Policy::Allocate(to * sizeof(Record)));
    } else {
      records = reinterpret_cast<Record *>(small);
    }
    for (u32 i = 0; i < size_; i++)
      records[i] = Records()[At(i)];
    FreeRoom();
    details_ = details;
    if (to > kInline)
      heap_ = records;
    else
      __builtin_memcpy(inline_, small, sizeof(small));
    log_capacity_ = u8(log_capacity);
    first_ = 0;
  }

  u8 log_capacity_ = kLogInline;
  u16 first_ = 0;
  u16 size_ = 0;
  DetailsOfAll *details_ = nullptr;
  union {
    alignas(Record) unsigned char inline_[kInline * sizeof(Record)];
    Record *heap_;
  };
};

} // namespace __heddle

#endif // HEDDLE_MODEL_BUFFER_HISTORY_H
