//===-- demo_events.h - The entries of the streams ------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How events become bytes. An encoder appends an entry to the bytes that are pending
// for a frame, a decoder takes the content of a frame apart. Both start anew with
// each frame, which an encoder knows by the bytes being empty: a frame can be read
// without those before it.
//
// Entries, with numbers and signed numbers as in demo_bytes.h. A tick is the signed
// difference to the tick of the entry before, in the first to 0:
//
//   ASYNC     tick   thread   kind (1 byte)
//   SIGNAL    tick   thread   place (1 byte)   size   the info's bytes
//   SYSCALL   tick   thread   call   result (signed)   error (signed)
//             parts (1 byte), and each part:   size   bytes
//   QUEUE     value * 2                        a value
//             period * 2 - 1   count - 1       `count` values more, each the same as
//                                              the one `period` values before
//   CHOICE    the entries of choice_log.h; a ChoiceLog writes them, CheckLogEntries()
//             and LogReader read them
//   META      demo_meta.h
//
// A decoder takes any bytes. It checks an entry in full before it gives it, and after
// one that is malformed it gives nothing more.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_DEMO_DEMO_EVENTS_H
#define HEDDLE_DEMO_DEMO_EVENTS_H

#include "heddle/choice/check.h"
#include "heddle/choice/growable.h"
#include "heddle/demo/demo_bytes.h"
#include "heddle/demo/demo_status.h"

namespace __heddle {

// Something happened to the schedule that it did not decide itself.
struct AsyncEvent {
  u64 tick = 0;
  u32 thread = 0;
  u8 kind = 0; // below kAsyncKinds; which ones there are is the recorder's
};
constexpr u32 kAsyncKinds = 128;

struct SignalEvent {
  u64 tick = 0;
  u32 thread = 0;
  u8 place = 0;
  ByteSpan info; // a siginfo_t
};
constexpr uptr kMaxSignalInfo = 128;

struct SyscallEvent {
  u64 tick = 0;
  u32 thread = 0;
  u16 call = 0;
  s64 result = 0;
  s32 error = 0;
  u8 parts = 0; // how many outputs follow; an encoder counts them itself
};
constexpr u32 kMaxParts = 255;

// The difference of ticks. It wraps around, so there is nothing to go wrong.
class TickCoder {
public:
  // Every entry begins with it.
  template <class Memory> void Push(Growable<u8, Memory> &bytes, u64 tick) {
    if (bytes.Empty())
      last_ = 0;
    PushSigned(bytes, s64(tick - last_));
    last_ = tick;
  }
  u64 Read(ByteReader &reader) { return last_ += u64(reader.Signed()); }

private:
  u64 last_ = 0;
};

template <class Memory> class AsyncEncoder {
public:
  void Append(Growable<u8, Memory> &bytes, const AsyncEvent &event) {
    Require(event.kind < kAsyncKinds);
    tick_.Push(bytes, event.tick);
    PushNumber(bytes, event.thread);
    bytes.Push(event.kind);
  }

private:
  TickCoder tick_;
};

template <class Memory> class SignalEncoder {
public:
  void Append(Growable<u8, Memory> &bytes, const SignalEvent &event) {
    Require(event.info.size <= kMaxSignalInfo);
    tick_.Push(bytes, event.tick);
    PushNumber(bytes, event.thread);
    bytes.Push(event.place);
    PushNumber(bytes, event.info.size);
    bytes.Append(event.info.data, event.info.size);
  }

private:
  TickCoder tick_;
};

// The outputs of a call are appended one by one, each straight from where the call
// left it. The entry is whole after each call.
template <class Memory> class SyscallEncoder {
public:
  using Bytes = Growable<u8, Memory>;

  void Begin(Bytes &bytes, const SyscallEvent &event) {
    tick_.Push(bytes, event.tick);
    PushNumber(bytes, event.thread);
    PushNumber(bytes, event.call);
    PushSigned(bytes, event.result);
    PushSigned(bytes, event.error);
    parts_ = bytes.Size();
    bytes.Push(0);
  }

  // To the entry begun last.
  void AppendPart(Bytes &bytes, const void *part, uptr size) {
    BeginPart(bytes, size);
    AddToPart(bytes, part, size);
  }

  // A part of `size` bytes in pieces, such as those of a readv.
  void BeginPart(Bytes &bytes, uptr size) {
    Require(bytes[parts_] < kMaxParts);
    bytes[parts_]++;
    PushNumber(bytes, size);
  }
  void AddToPart(Bytes &bytes, const void *piece, uptr size) {
    bytes.Append(static_cast<const u8 *>(piece), size);
  }

private:
  TickCoder tick_;
  uptr parts_ = 0; // where the number of parts of the last entry is
};

// A sequence of values, such as the threads in the order in which they came. Where
// threads take turns it repeats itself; any number of turns is one entry.
namespace demo_queue {
constexpr u32 kPeriods = 16; // the longest period that is looked for
constexpr u32 kStreak = 8;   // so many repetitions begin a run

// The last values, by how long ago they came.
class History {
public:
  void Add(u32 value) {
    values_[count_ % kPeriods] = value;
    count_++;
  }
  // So many values came, whatever they were.
  void Skip(u64 count) { count_ = count > ~count_ ? ~u64(0) : count_ + count; }
  // `ago` is at least 1 and at most kPeriods.
  bool Has(u32 ago) const { return ago <= count_; }
  u32 Before(u32 ago) const { return values_[(count_ - ago) % kPeriods]; }

private:
  u32 values_[kPeriods] = {};
  u64 count_ = 0;
};
} // namespace demo_queue

template <class Memory> class QueueEncoder {
public:
  void Append(Growable<u8, Memory> &bytes, u32 value) {
    if (bytes.Empty())
      *this = QueueEncoder();
    if (period_ && history_.Before(period_) == value) {
      if (count_)
        CountUp(bytes, count_);
      else
        BeginRun(bytes);
      history_.Add(value);
      return;
    }
    if (count_)
      ForgetStreaks();
    period_ = 0;
    count_ = 0;
    PushNumber(bytes, u64(value) << 1);
    FollowStreaks(value);
    history_.Add(value);
  }

private:
  void BeginRun(Growable<u8, Memory> &bytes) {
    PushNumber(bytes, period_ * 2 - 1);
    count_ = bytes.Size();
    bytes.Push(0);
  }

  void FollowStreaks(u32 value) {
    using namespace demo_queue;
    for (u32 ago = kPeriods; ago >= 1; ago--) {
      bool same = history_.Has(ago) && history_.Before(ago) == value;
      streaks_[ago - 1] = same ? u8(streaks_[ago - 1] + 1) : 0;
      if (streaks_[ago - 1] == kStreak) {
        period_ = ago; // the shortest, in the end
        streaks_[ago - 1]--;
      }
    }
  }

  void ForgetStreaks() {
    for (u8 &streak : streaks_)
      streak = 0;
  }

  demo_queue::History history_;
  u8 streaks_[demo_queue::kPeriods] = {}; // how often in a row each period has held
  u32 period_ = 0;                        // the one that a run may have now; 0: none
  uptr count_ = 0;                        // where the run's count is; 0: no run yet
};

// What decoders have in common: where they are and what was wrong.
class EntryDecoder {
public:
  // At the beginning of the entry that is wrong, if one is.
  DemoStatus Status() const {
    return {reader_.Ok() ? DemoError::kNone : DemoError::kBadEntry, entry_};
  }

protected:
  explicit EntryDecoder(ByteSpan content) : reader_(content.data, content.size) {}

  // False if there is no more.
  bool BeginEntry() {
    if (reader_.AtEnd())
      return false;
    entry_ = reader_.Offset();
    return true;
  }

  static constexpr u32 kMost32 = ~u32(0);

  ByteReader reader_;
  uptr entry_ = 0;
};

class AsyncDecoder : public EntryDecoder {
public:
  explicit AsyncDecoder(ByteSpan content) : EntryDecoder(content) {}

  bool Next(AsyncEvent &event) {
    if (!BeginEntry())
      return false;
    AsyncEvent read;
    read.tick = tick_.Read(reader_);
    read.thread = u32(reader_.Number(kMost32));
    read.kind = reader_.Byte();
    if (read.kind >= kAsyncKinds)
      reader_.Fail();
    if (reader_.Ok())
      event = read;
    return reader_.Ok();
  }

private:
  TickCoder tick_;
};

class SignalDecoder : public EntryDecoder {
public:
  explicit SignalDecoder(ByteSpan content) : EntryDecoder(content) {}

  bool Next(SignalEvent &event) {
    if (!BeginEntry())
      return false;
    SignalEvent read;
    read.tick = tick_.Read(reader_);
    read.thread = u32(reader_.Number(kMost32));
    read.place = reader_.Byte();
    read.info = reader_.Bytes(kMaxSignalInfo);
    if (reader_.Ok())
      event = read;
    return reader_.Ok();
  }

private:
  TickCoder tick_;
};

class SyscallDecoder : public EntryDecoder {
public:
  explicit SyscallDecoder(ByteSpan content)
      : EntryDecoder(content), parts_(content.data, 0), content_(content) {}

  bool Next(SyscallEvent &event) {
    parts_left_ = 0;
    if (!BeginEntry())
      return false;
    SyscallEvent read;
    read.tick = tick_.Read(reader_);
    read.thread = u32(reader_.Number(kMost32));
    read.call = u16(reader_.Number(0xffff));
    read.result = reader_.Signed();
    s64 error = reader_.Signed();
    if (error != s32(error))
      reader_.Fail();
    read.error = s32(error);
    read.parts = reader_.Byte();
    uptr start = reader_.Offset();
    for (u32 i = 0; i < read.parts; i++)
      reader_.Bytes(content_.size);
    if (!reader_.Ok())
      return false;
    parts_ = ByteReader(content_.data + start, reader_.Offset() - start);
    parts_left_ = read.parts;
    event = read;
    return true;
  }

  // The next output of the call that Next() gave; false if there is no more.
  bool NextPart(ByteSpan &part) {
    if (parts_left_ == 0)
      return false;
    parts_left_--;
    part = parts_.Bytes(content_.size);
    return true;
  }

private:
  TickCoder tick_;
  ByteReader parts_;
  ByteSpan content_;
  u32 parts_left_ = 0;
};

class QueueDecoder : public EntryDecoder {
public:
  explicit QueueDecoder(ByteSpan content) : EntryDecoder(content) {}

  // Whether all entries are well-formed. Takes as long as there are bytes, however many
  // values they stand for: a run of a few bytes may have more than fit into any memory.
  static DemoStatus Check(ByteSpan content) {
    QueueDecoder decoder(content);
    while (decoder.ReadEntry()) {
      decoder.history_.Skip(decoder.period_ ? decoder.left_ : 1);
      decoder.left_ = 0;
    }
    return decoder.Status();
  }

  bool Next(u32 &value) {
    if (left_ == 0 && !ReadEntry())
      return false;
    if (period_) {
      left_--;
      value_ = history_.Before(period_);
    }
    history_.Add(value_);
    value = value_;
    return true;
  }

private:
  bool ReadEntry() {
    using namespace demo_queue;
    if (!BeginEntry())
      return false;
    u64 head = reader_.Number(u64(kMost32) << 1);
    period_ = 0;
    value_ = u32(head >> 1);
    if (head & 1) {
      u64 period = (head >> 1) + 1;
      left_ = reader_.Number(~u64(0) - 1) + 1;
      if (period > kPeriods || !history_.Has(u32(period)))
        reader_.Fail();
      period_ = u32(period);
    }
    if (!reader_.Ok())
      left_ = 0;
    return reader_.Ok();
  }

  demo_queue::History history_;
  u32 value_ = 0;
  u32 period_ = 0; // of the run; 0: a single value
  u64 left_ = 0;   // of the run
};

} // namespace __heddle

#endif // HEDDLE_DEMO_DEMO_EVENTS_H
