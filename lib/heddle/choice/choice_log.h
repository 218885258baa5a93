//===-- choice_log.h - What was chosen, in order --------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compact list of choices: about a byte each, less where a default answer is
// repeated. It is what a replayer repeats and a shrinker shortens.
//
// The encoding. An entry begins with a byte of two fields, and numbers may
// follow:
//
//     kind (high 4 bits) | shape (low 4 bits)
//
//   kind 0..14, shape 0..13   a choice of 2 to 5 options: the shape counts the
//                             pairs (options, answer) (2,0) (2,1) (3,0) (3,1) ...
//   kind 0..14, shape 14      6 options or more, the answer is the default;
//                             the number of options follows
//   kind 0..14, shape 15      6 options or more, another answer; the number of
//                             options follows, then the answer
//   15, shape 0..14           the choice before, whose answer was the default,
//                             comes 1..15 times more
//   15, shape 15              a number n follows: it comes 16 + n times more
//
// Numbers are LEB128: seven bits a byte, the low ones first, the top bit set in
// all bytes but the last. An entry or number that could be shorter is malformed:
// a sequence of choices has exactly one encoding, and logs are equal if their
// bytes are.
//
// As a file a log is
//
//     "HCL"  version (1 byte)  choices (LEB128)  bytes (LEB128)  the entries
//
// The version changes whenever an older reader would misread a newer log. A new
// kind is no such change: a reader that does not know it says so.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_CHOICE_LOG_H
#define HEDDLE_CHOICE_CHOICE_LOG_H

#include "heddle/choice/check.h"
#include "heddle/choice/choice.h"
#include "heddle/choice/choice_stream.h"
#include "heddle/choice/growable.h"

namespace __heddle {

namespace choice_log {
constexpr u8 kMagic[3] = {'H', 'C', 'L'};
constexpr u8 kVersion = 1;

constexpr u32 kRepeat = 15; // in the place of a kind
static_assert(kChoiceKinds <= kRepeat, "a kind from 15 on needs another encoding");

constexpr u32 kSmallOptions = 5;
constexpr u32 kLargeDefault = 14;
constexpr u32 kLarge = 15;
constexpr u32 kLongRun = 15;

constexpr u8 Head(u32 kind, u32 shape) { return u8(kind << 4 | shape); }

// The number of pairs (options, answer) with fewer options.
constexpr u32 FirstShape(u32 options) { return options * (options - 1) / 2 - 1; }
static_assert(FirstShape(2) == 0 && FirstShape(kSmallOptions + 1) == kLargeDefault);
} // namespace choice_log

// The entries of a log, known to be well-formed. Their owner outlives the view.
struct LogView {
  const u8 *data = nullptr;
  uptr size = 0;
};

enum class LogError {
  kNone,
  kNotALog,
  kOtherVersion,
  kTruncated,
  kUnknownKind,
  kBadEntry,
  kNotShortest,
  kWrongCount,
  kTrailingBytes,
};

// A whole sentence for people, and what to do about it.
const char *ExplainLogError(LogError error);

struct LogStatus {
  LogError error = LogError::kNone;
  uptr offset = 0; // of the entry or number that is wrong

  bool Ok() const { return error == LogError::kNone; }
};

// Goes through a log, choice by choice or run by run.
class LogReader {
public:
  explicit LogReader(LogView log) : next_(log.data), end_(log.data + log.size) {}

  // The next choice; false at the end.
  bool Next(Choice &choice) {
    if (repeats_ == 0 && !ReadRun())
      return false;
    repeats_--;
    choice = choice_;
    return true;
  }

  // Takes back a call of Next() that gave a choice, and no other call since.
  void Unread() { repeats_++; }

  // The next choice and how often it comes in a row. Only defaults are counted
  // together.
  bool NextRun(Choice &choice, u64 &count) {
    if (repeats_ == 0 && !ReadRun())
      return false;
    choice = choice_;
    count = repeats_;
    repeats_ = 0;
    return true;
  }

private:
  bool ReadRun();

  const u8 *next_;
  const u8 *end_;
  Choice choice_ = {};
  u64 repeats_ = 0; // how often choice_ is still to come
};

// What is in a file.
struct LogFile {
  LogView entries;
  u64 choices = 0;
  Choice last = {};     // the last choice, if there is one
  uptr last_offset = 0; // of the last entry
};

// Checks bytes that come from anywhere; fills `file` if they are a log.
LogStatus CheckLogFile(const u8 *bytes, uptr size, LogFile &file);

// The same for entries that stand alone, without the head of a file.
LogStatus CheckLogEntries(const u8 *bytes, uptr size, LogFile &file);

// "T1/3 R0/2 T0/3*5": kind, answer / options, how often in a row. Terminated and
// cut to `capacity`; returns the length of all of it, without the terminator.
uptr FormatLog(LogView log, char *buffer, uptr capacity);

template <class Memory> class ChoiceLog {
public:
  using Bytes = Growable<u8, Memory>;

  constexpr ChoiceLog() = default;

  u64 Size() const { return size_; }
  bool Empty() const { return size_ == 0; }
  LogView View() const { return {bytes_.Data(), bytes_.Size()}; }

  void Append(Choice choice) {
    using namespace choice_log;
    Require(choice.options >= 2 && choice.answer < choice.options);
    if (choice == last_ && choice.IsDefault())
      Repeat();
    else
      AppendEntry(choice);
    size_++;
  }

  bool operator==(const ChoiceLog &other) const {
    if (bytes_.Size() != other.bytes_.Size())
      return false;
    for (uptr i = 0; i < bytes_.Size(); i++)
      if (bytes_[i] != other.bytes_[i])
        return false;
    return true;
  }
  bool operator!=(const ChoiceLog &other) const { return !(*this == other); }

  void Clear() {
    bytes_.Clear();
    size_ = 0;
    last_ = {};
    last_entry_ = 0;
  }

  void Assign(const ChoiceLog &other) {
    bytes_.Assign(other.bytes_);
    size_ = other.size_;
    last_ = other.last_;
    last_entry_ = other.last_entry_;
  }

  // Appends the log as a file to `out`.
  void Serialize(Bytes &out) const {
    using namespace choice_log;
    out.Append(kMagic, sizeof(kMagic));
    out.Push(kVersion);
    PushNumber(out, size_);
    PushNumber(out, bytes_.Size());
    out.Append(bytes_.Data(), bytes_.Size());
  }

  // Becomes the log of a file. After an error the log is as it was.
  LogStatus Deserialize(const u8 *bytes, uptr size) {
    LogFile file;
    LogStatus status = CheckLogFile(bytes, size, file);
    if (!status.Ok())
      return status;
    bytes_.Clear();
    bytes_.Append(file.entries.data, file.entries.size);
    size_ = file.choices;
    last_ = file.last;
    last_entry_ = file.last_offset;
    return status;
  }

private:
  static void PushNumber(Bytes &out, u64 number) {
    for (; number >= 0x80; number >>= 7)
      out.Push(u8(number | 0x80));
    out.Push(u8(number));
  }

  void AppendEntry(Choice choice) {
    using namespace choice_log;
    last_ = choice;
    last_entry_ = bytes_.Size();
    u32 kind = u32(choice.kind);
    if (choice.options <= kSmallOptions)
      return bytes_.Push(Head(kind, FirstShape(choice.options) + choice.answer));
    bytes_.Push(Head(kind, choice.IsDefault() ? kLargeDefault : kLarge));
    PushNumber(bytes_, choice.options);
    if (!choice.IsDefault())
      PushNumber(bytes_, choice.answer);
  }

  // The last choice once more: begins a run, or counts up the one at the end.
  void Repeat() {
    using namespace choice_log;
    u8 head = bytes_[last_entry_];
    if (head < Head(kRepeat, 0)) {
      last_entry_ = bytes_.Size();
      return bytes_.Push(Head(kRepeat, 0));
    }
    if (head == Head(kRepeat, kLongRun))
      return CountUp(last_entry_ + 1);
    bytes_[last_entry_] = ++head;
    if (head == Head(kRepeat, kLongRun))
      bytes_.Push(0);
  }

  // Adds 1 to the number that begins at `offset` and ends the log.
  void CountUp(uptr offset) {
    for (;; offset++) {
      u8 digits = bytes_[offset];
      if ((digits & 0x7f) != 0x7f) {
        bytes_[offset]++;
        return;
      }
      bytes_[offset] = 0x80;
      if (digits == 0x7f)
        return bytes_.Push(1);
    }
  }

  Bytes bytes_;
  u64 size_ = 0;
  Choice last_ = {};    // no choice that can be appended, if there is none
  uptr last_entry_ = 0; // its offset
};

// Writes down what a ChoiceStream is asked.
template <class Memory> class LogRecorder final : public ChoiceRecorder {
public:
  constexpr explicit LogRecorder(ChoiceLog<Memory> &log) : log_(log) {}

  void Record(Choice choice) override { log_.Append(choice); }

private:
  ChoiceLog<Memory> &log_;
};

} // namespace __heddle

#endif // HEDDLE_CHOICE_CHOICE_LOG_H
