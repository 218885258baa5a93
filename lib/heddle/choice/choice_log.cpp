//===-- choice_log.cpp - Reading, checking and printing logs --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of choice_log.h that allocate nothing. One decoder serves both the
// reader and the check of bytes from outside: it never looks past the end and
// accepts nothing that ChoiceLog would not have written.
//
//===----------------------------------------------------------------------===//
#include "heddle/choice/choice_log.h"

#include "heddle/choice/text.h"

namespace __heddle {
namespace {
using namespace choice_log;

// A table, because a search would be a branch that nobody can predict.
constexpr u8 kOptionsOfShape[kLargeDefault] = {2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5};

class Decoder {
public:
  Decoder(const u8 *next, const u8 *end) : next_(next), end_(end) {}

  const u8 *Position() const { return next_; }
  bool AtEnd() const { return next_ == end_; }
  bool AtRepeat() const { return !AtEnd() && *next_ >> 4 == kRepeat; }

  LogError Number(u64 &number) {
    number = 0;
    for (u32 shift = 0;; shift += 7) {
      if (AtEnd())
        return LogError::kTruncated;
      u64 digits = *next_ & 0x7f;
      bool last = !(*next_++ & 0x80);
      if (digits << shift >> shift != digits)
        return LogError::kBadEntry; // more than 64 bits
      number |= digits << shift;
      if (last)
        return digits || shift == 0 ? LogError::kNone : LogError::kNotShortest;
      if (shift == 63)
        return LogError::kBadEntry;
    }
  }

  // The entry of a choice: not at the end, not at a repetition.
  LogError Entry(Choice &choice) {
    u32 kind = *next_ >> 4;
    u32 shape = *next_++ & 15;
    if (kind >= kChoiceKinds)
      return LogError::kUnknownKind;
    choice.kind = ChoiceKind(kind);
    if (shape >= kLargeDefault)
      return LargeEntry(shape, choice);
    choice.options = kOptionsOfShape[shape];
    choice.answer = shape - FirstShape(choice.options);
    return LogError::kNone;
  }

  // How often the choice before comes once more.
  LogError Repeats(u64 &repeats) {
    u32 shape = *next_++ & 15;
    repeats = shape + 1;
    if (shape != kLongRun)
      return LogError::kNone;
    u64 more;
    LogError error = Number(more);
    if (error != LogError::kNone)
      return error;
    return __builtin_add_overflow(repeats, more, &repeats) ? LogError::kBadEntry : LogError::kNone;
  }

private:
  LogError LargeEntry(u32 shape, Choice &choice) {
    u64 options, answer = kDefaultAnswer;
    LogError error = Number(options);
    if (error == LogError::kNone && shape == kLarge)
      error = Number(answer);
    if (error != LogError::kNone)
      return error;
    if (options <= kSmallOptions || (shape == kLarge && answer == kDefaultAnswer))
      return LogError::kNotShortest;
    if (options > ~u32(0) || answer >= options)
      return LogError::kBadEntry;
    choice.options = u32(options);
    choice.answer = u32(answer);
    return LogError::kNone;
  }

  const u8 *next_;
  const u8 *end_;
};

// Reads the entries up to the decoder's end into `file`. `start`: where the one
// begins that was read last.
LogError CheckEntries(Decoder &decoder, LogFile &file, const u8 *&start) {
  const u8 *first = decoder.Position();
  bool repeatable = false;
  while (!decoder.AtEnd()) {
    start = decoder.Position();
    u64 count = 1;
    if (decoder.AtRepeat()) {
      if (!repeatable)
        return LogError::kBadEntry;
      LogError error = decoder.Repeats(count);
      if (error != LogError::kNone)
        return error;
      repeatable = false;
    } else {
      Choice choice;
      LogError error = decoder.Entry(choice);
      if (error != LogError::kNone)
        return error;
      if (choice.IsDefault() && choice == file.last)
        return LogError::kNotShortest;
      file.last = choice;
      repeatable = choice.IsDefault();
    }
    file.last_offset = uptr(start - first);
    if (__builtin_add_overflow(file.choices, count, &file.choices))
      return LogError::kBadEntry;
  }
  return LogError::kNone;
}

// Reads a whole file. `start`: where the part begins that was read last.
LogError CheckFile(const u8 *bytes, uptr size, LogFile &file, const u8 *&start) {
  const u8 *end = bytes + size;
  for (u8 byte : kMagic) {
    if (start == end)
      return LogError::kTruncated;
    if (*start != byte)
      return LogError::kNotALog;
    start++;
  }
  if (start == end)
    return LogError::kTruncated;
  if (*start != kVersion)
    return LogError::kOtherVersion;

  Decoder head(++start, end);
  u64 choices, length;
  LogError error = head.Number(choices);
  if (error != LogError::kNone)
    return error;
  const u8 *count_start = start;
  start = head.Position();
  error = head.Number(length);
  if (error != LogError::kNone)
    return error;
  start = head.Position();
  if (length > uptr(end - start)) {
    start = end;
    return LogError::kTruncated;
  }
  file.entries = {start, uptr(length)};

  Decoder entries(start, start + length);
  error = CheckEntries(entries, file, start);
  if (error != LogError::kNone)
    return error;
  if (file.choices != choices) {
    start = count_start;
    return LogError::kWrongCount;
  }
  start = entries.Position();
  return start == end ? LogError::kNone : LogError::kTrailingBytes;
}

} // namespace

bool LogReader::ReadRun() {
  Decoder decoder(next_, end_);
  if (decoder.AtEnd())
    return false;
  LogError error = decoder.Entry(choice_);
  u64 more = 0;
  if (error == LogError::kNone && decoder.AtRepeat())
    error = decoder.Repeats(more);
  Require(error == LogError::kNone);
  repeats_ = 1 + more;
  next_ = decoder.Position();
  return true;
}

LogStatus CheckLogFile(const u8 *bytes, uptr size, LogFile &file) {
  LogFile checked;
  const u8 *start = bytes;
  LogError error = CheckFile(bytes, size, checked, start);
  if (error == LogError::kNone)
    file = checked;
  return {error, uptr(start - bytes)};
}

LogStatus CheckLogEntries(const u8 *bytes, uptr size, LogFile &file) {
  LogFile checked;
  checked.entries = {bytes, size};
  const u8 *start = bytes;
  Decoder entries(bytes, bytes + size);
  LogError error = CheckEntries(entries, checked, start);
  if (error == LogError::kNone) {
    file = checked;
    start = entries.Position();
  }
  return {error, uptr(start - bytes)};
}

const char *ExplainLogError(LogError error) {
  switch (error) {
  case LogError::kNone:
    return "The log is well-formed.";
  case LogError::kNotALog:
    return "This is not a log of choices: it does not begin with \"HCL\". Is it another file?";
  case LogError::kOtherVersion:
    return "The log has a format that this version does not read. Use the version that wrote it.";
  case LogError::kTruncated:
    return "The log ends too early: its end was lost. Record it again.";
  case LogError::kUnknownKind:
    return "The log has a kind of choice that this version does not know. "
           "Use the version that wrote it.";
  case LogError::kBadEntry:
    return "The log has an entry that no version writes: it is damaged. Record it again.";
  case LogError::kNotShortest:
    return "The log has an entry that should have been shorter: it is damaged, "
           "or another program wrote it. Record it again.";
  case LogError::kWrongCount:
    return "The log has more or fewer choices than its head says: it is damaged. Record it again.";
  case LogError::kTrailingBytes:
    return "Something follows the end of the log: it is damaged. Record it again.";
  }
  __builtin_unreachable();
}

uptr FormatLog(LogView log, char *buffer, uptr capacity) {
  TextWriter text(buffer, capacity);
  LogReader reader(log);
  Choice choice;
  u64 count;
  while (reader.NextRun(choice, count)) {
    if (text.Length())
      text << ' ';
    text << LetterOf(choice.kind) << choice.answer << '/' << choice.options;
    if (count > 1)
      text << '*' << count;
  }
  return text.Length();
}

} // namespace __heddle
