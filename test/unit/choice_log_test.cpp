// heddle/choice/choice_log.h: what goes in comes out, the bytes are the ones the
// format prescribes, and no bytes at all make the reader do more than complain.

#include "heddle/choice/choice_log.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace {
using namespace __heddle;
using namespace testing_choice;

constexpr auto T = ChoiceKind::kThread;
constexpr auto R = ChoiceKind::kRead;
constexpr auto V = ChoiceKind::kValue;

std::vector<u8> Entries(const Choices &choices) {
  Log log;
  Fill(log, choices);
  return {log.View().data, log.View().data + log.View().size};
}

using ByteVector = std::vector<u8>;

ByteVector File(u8 choices, const ByteVector &entries) {
  ByteVector file = {'H', 'C', 'L', 1, choices, u8(entries.size())};
  file.insert(file.end(), entries.begin(), entries.end());
  return file;
}

// A copy of exactly the size, so that AddressSanitizer sees a byte too many read.
LogStatus Check(const ByteVector &bytes, LogFile &file) {
  u8 *copy = new u8[bytes.size()];
  std::copy(bytes.begin(), bytes.end(), copy);
  LogStatus status = CheckLogFile(copy, bytes.size(), file);
  delete[] copy;
  return status;
}

LogError ErrorOf(const ByteVector &bytes) {
  LogFile file;
  return Check(bytes, file).error;
}

Choices RandomChoices(std::mt19937_64 &random, uptr length) {
  Choices choices;
  while (choices.size() < length) {
    Choice choice = {kKinds[random() % kChoiceKinds], 0, 0};
    switch (random() % 8) {
    case 0:
      choice.options = 2 + u32(random()) % (~0u - 1);
      break;
    case 1:
      choice.options = 2 + u32(random()) % 300;
      break;
    default:
      choice.options = 2 + u32(random()) % 7;
    }
    if (random() % 2)
      choice.answer = u32(random()) % choice.options;
    uptr repeats = random() % 4 ? 1 : random() % 8 ? random() % 40 : random() % 600;
    choices.insert(choices.end(), repeats, choice);
  }
  choices.resize(length);
  return choices;
}

TEST(ChoiceLog, EmptyLog) {
  Log log;
  EXPECT_TRUE(log.Empty());
  EXPECT_EQ(log.Size(), 0u);
  EXPECT_EQ(ToVector(log), Choices());
  EXPECT_EQ(Text(log), "");
  EXPECT_EQ(Serialized(log), (ByteVector{'H', 'C', 'L', 1, 0, 0}));
}

TEST(ChoiceLog, SmallChoicesTakeAByte) {
  u8 shape = 0;
  for (u32 options = 2; options <= 5; options++)
    for (u32 answer = 0; answer < options; answer++, shape++)
      for (ChoiceKind kind : kKinds)
        EXPECT_EQ(Entries({{kind, options, answer}}), ByteVector{u8(u32(kind) * 16 + shape)});
  EXPECT_EQ(shape, 14);
}

TEST(ChoiceLog, LargeChoices) {
  EXPECT_EQ(Entries({{T, 6, 0}}), (ByteVector{0x0e, 6}));
  EXPECT_EQ(Entries({{T, 6, 5}}), (ByteVector{0x0f, 6, 5}));
  EXPECT_EQ(Entries({{R, 127, 1}}), (ByteVector{0x1f, 127, 1}));
  EXPECT_EQ(Entries({{R, 128, 127}}), (ByteVector{0x1f, 0x80, 0x01, 127}));
  EXPECT_EQ(Entries({{V, ~0u, 0}}), (ByteVector{0x5e, 0xff, 0xff, 0xff, 0xff, 0x0f}));
  EXPECT_EQ(Entries({{V, ~0u, ~0u - 1}}),
            (ByteVector{0x5f, 0xff, 0xff, 0xff, 0xff, 0x0f, 0xfe, 0xff, 0xff, 0xff, 0x0f}));
}

TEST(ChoiceLog, RunsOfDefaults) {
  auto run = [](uptr length) { return Entries(Choices(length, {T, 3, 0})); };
  EXPECT_EQ(run(1), (ByteVector{0x02}));
  EXPECT_EQ(run(2), (ByteVector{0x02, 0xf0}));
  EXPECT_EQ(run(16), (ByteVector{0x02, 0xfe}));
  EXPECT_EQ(run(17), (ByteVector{0x02, 0xff, 0x00}));
  EXPECT_EQ(run(18), (ByteVector{0x02, 0xff, 0x01}));
  EXPECT_EQ(run(17 + 127), (ByteVector{0x02, 0xff, 0x7f}));
  EXPECT_EQ(run(17 + 128), (ByteVector{0x02, 0xff, 0x80, 0x01}));
  EXPECT_EQ(run(17 + 16383), (ByteVector{0x02, 0xff, 0xff, 0x7f}));
  EXPECT_EQ(run(17 + 16384), (ByteVector{0x02, 0xff, 0x80, 0x80, 0x01}));
  EXPECT_EQ(run(17 + 16384 + 129), (ByteVector{0x02, 0xff, 0x81, 0x81, 0x01}));
}

TEST(ChoiceLog, OnlyEqualDefaultsMakeARun) {
  EXPECT_EQ(Entries({{T, 2, 1}, {T, 2, 1}}), (ByteVector{0x01, 0x01}));
  EXPECT_EQ(Entries({{T, 2, 0}, {R, 2, 0}}), (ByteVector{0x00, 0x10}));
  EXPECT_EQ(Entries({{T, 2, 0}, {T, 3, 0}}), (ByteVector{0x00, 0x02}));
  EXPECT_EQ(Entries({{T, 2, 0}, {T, 2, 0}, {T, 2, 1}, {T, 2, 0}, {T, 2, 0}}),
            (ByteVector{0x00, 0xf0, 0x01, 0x00, 0xf0}));
}

TEST(ChoiceLog, MillionDefaultsTakeFiveBytes) {
  Log log;
  for (int i = 0; i < 1000000; i++)
    log.Append({T, 4, 0});
  EXPECT_EQ(log.Size(), 1000000u);
  EXPECT_EQ(log.View().size, 5u);
  EXPECT_EQ(Text(log), "T0/4*1000000");
}

TEST(ChoiceLog, TextForPeople) {
  Log log;
  Fill(log, {{T, 3, 1}, {R, 2, 0}, {R, 2, 0}, {R, 2, 0}, {V, 1000000, 999999}});
  EXPECT_EQ(Text(log), "T1/3 R0/2*3 V999999/1000000");
}

TEST(ChoiceLog, TextIsCutToTheBuffer) {
  Log log;
  Fill(log, {{T, 3, 1}, {R, 2, 0}});
  std::string whole = "T1/3 R0/2";
  for (uptr capacity = 0; capacity < 12; capacity++) {
    std::vector<char> buffer(capacity);
    EXPECT_EQ(FormatLog(log.View(), buffer.data(), capacity), whole.size());
    if (capacity) {
      EXPECT_EQ(std::string(buffer.data()), whole.substr(0, capacity - 1));
    }
  }
}

TEST(ChoiceLog, ReadsBackWhatWasAppended) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; round++) {
    Choices choices = RandomChoices(random, random() % 1000);
    Log log;
    Fill(log, choices);
    EXPECT_EQ(log.Size(), choices.size());
    ASSERT_EQ(ToVector(log), choices);
  }
}

TEST(ChoiceLog, RunsAreAsLongAsCanBe) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; round++) {
    Choices choices = RandomChoices(random, random() % 1000), read;
    Log log;
    Fill(log, choices);
    LogReader reader(log.View());
    Choice choice, last = {};
    for (u64 count; reader.NextRun(choice, count); last = choice) {
      EXPECT_TRUE(choice.IsDefault() ? choice != last : count == 1);
      read.insert(read.end(), count, choice);
    }
    ASSERT_EQ(read, choices);
  }
}

TEST(ChoiceLog, TheRestOfARunIsARun) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; round++) {
    Choices choices = RandomChoices(random, random() % 1000), read;
    Log log;
    Fill(log, choices);
    LogReader reader(log.View());
    Choice choice;
    u64 count = 1;
    while (random() % 2 ? reader.NextRun(choice, count) : reader.Next(choice)) {
      read.insert(read.end(), count, choice);
      count = 1;
    }
    ASSERT_EQ(read, choices);
  }
}

TEST(ChoiceLog, WhatIsUnreadComesAgain) {
  Log log;
  Fill(log, {{T, 2, 0}, {T, 2, 0}, {R, 3, 1}});
  Choices read;
  LogReader reader(log.View());
  for (Choice choice; reader.Next(choice);) {
    reader.Unread();
    ASSERT_TRUE(reader.Next(choice));
    read.push_back(choice);
  }
  EXPECT_EQ(read, ToVector(log));
}

TEST(ChoiceLog, EqualIfTheChoicesAre) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 300; round++) {
    Choices choices = RandomChoices(random, 1 + random() % 50);
    Log a, b;
    Fill(a, choices);
    Fill(b, choices);
    EXPECT_TRUE(a == b);
    Choices other = choices;
    Choice &changed = other[random() % other.size()];
    changed.answer = (changed.answer + 1) % changed.options;
    Fill(b, other);
    EXPECT_TRUE(a != b);
    other = choices;
    other.pop_back();
    Fill(b, other);
    EXPECT_TRUE(a != b);
  }
}

TEST(ChoiceLog, AssignAndClear) {
  std::mt19937_64 random(4);
  Choices choices = RandomChoices(random, 100);
  choices.insert(choices.end(), 20, {T, 2, 0});
  Log a, b;
  Fill(a, choices);
  b.Append({V, 9, 8});
  b.Assign(a);
  EXPECT_TRUE(a == b);
  b.Append({T, 2, 0}); // goes on with the run, in the copy only
  EXPECT_EQ(ToVector(a), choices);
  choices.push_back({T, 2, 0});
  EXPECT_EQ(ToVector(b), choices);
  b.Clear();
  EXPECT_TRUE(b.Empty());
  b.Append({T, 2, 0}); // no run with what was cleared
  EXPECT_EQ(ToVector(b), (Choices{{T, 2, 0}}));
}

TEST(ChoiceLog, RecordsAStream) {
  Log log;
  LogRecorder<CountingMemory> recorder(log);
  DefaultChooser chooser;
  ChoiceStream stream(chooser, &recorder);
  stream.Choose(T, 3);
  stream.Choose(R, 1);
  stream.Choose(R, 2);
  EXPECT_EQ(Text(log), "T0/3 R0/2");
}

TEST(ChoiceLog, SerializesAndGoesOn) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; round++) {
    Choices choices = RandomChoices(random, random() % 600);
    uptr cut = random() % (choices.size() + 1);
    Log whole, first, again;
    Fill(whole, choices);
    Fill(first, Choices(choices.begin(), choices.begin() + cut));
    ByteVector bytes = Serialized(first);
    ASSERT_TRUE(again.Deserialize(bytes.data(), bytes.size()).Ok());
    EXPECT_TRUE(again == first);
    EXPECT_EQ(again.Size(), cut);
    // Wherever it was cut, in the middle of a run too, it is as if it had not been.
    for (uptr i = cut; i < choices.size(); i++)
      again.Append(choices[i]);
    ASSERT_TRUE(again == whole);
  }
}

TEST(ChoiceLog, SaysWhatIsWrong) {
  EXPECT_EQ(ErrorOf(File(2, {0x00, 0xf0})), LogError::kNone);
  EXPECT_EQ(ErrorOf({}), LogError::kTruncated);
  EXPECT_EQ(ErrorOf({'H', 'C'}), LogError::kTruncated);
  EXPECT_EQ(ErrorOf({'H', 'C', 'L'}), LogError::kTruncated);
  EXPECT_EQ(ErrorOf({'H', 'C', 'L', 1, 0x80}), LogError::kTruncated);
  EXPECT_EQ(ErrorOf({'P', 'K', 3, 4, 0, 0}), LogError::kNotALog);
  EXPECT_EQ(ErrorOf({'H', 'C', 'L', 2, 0, 0}), LogError::kOtherVersion);
  EXPECT_EQ(ErrorOf({'H', 'C', 'L', 0, 0, 0}), LogError::kOtherVersion);
  EXPECT_EQ(ErrorOf({'H', 'C', 'L', 1, 2, 2, 0x00}), LogError::kTruncated);
  EXPECT_EQ(ErrorOf({'H', 'C', 'L', 1, 1, 1, 0x00, 0x00}), LogError::kTrailingBytes);
  EXPECT_EQ(ErrorOf({'H', 'C', 'L', 1, 0x81, 0x00, 1, 0x00}), LogError::kNotShortest);
  EXPECT_EQ(ErrorOf(File(3, {0x00, 0xf0})), LogError::kWrongCount);
  EXPECT_EQ(ErrorOf(File(1, {0x70})), LogError::kUnknownKind);
  EXPECT_EQ(ErrorOf(File(1, {0xe0})), LogError::kUnknownKind);
  EXPECT_EQ(ErrorOf(File(1, {0xf0})), LogError::kBadEntry);             // repeats nothing
  EXPECT_EQ(ErrorOf(File(2, {0x01, 0xf0})), LogError::kBadEntry);       // not a default
  EXPECT_EQ(ErrorOf(File(3, {0x00, 0xf0, 0xf0})), LogError::kBadEntry); // a run of runs
  EXPECT_EQ(ErrorOf(File(2, {0x00, 0x00})), LogError::kNotShortest);
  EXPECT_EQ(ErrorOf(File(3, {0x00, 0xf0, 0x00})), LogError::kNotShortest);
  EXPECT_EQ(ErrorOf(File(1, {0x0e, 5})), LogError::kNotShortest);
  EXPECT_EQ(ErrorOf(File(1, {0x0f, 6, 0})), LogError::kNotShortest);
  EXPECT_EQ(ErrorOf(File(1, {0x0e, 0x86, 0x00})), LogError::kNotShortest);
  EXPECT_EQ(ErrorOf(File(1, {0x0f, 6, 6})), LogError::kBadEntry);
  EXPECT_EQ(ErrorOf(File(1, {0x0e, 0x80, 0x80, 0x80, 0x80, 0x10})), LogError::kBadEntry);
  EXPECT_EQ(ErrorOf(File(1, {0x0e})), LogError::kTruncated);
  EXPECT_EQ(ErrorOf(File(1, {0x0f, 6})), LogError::kTruncated);
  EXPECT_EQ(ErrorOf(File(1, {0x00, 0xff})), LogError::kTruncated);
}

TEST(ChoiceLog, NumbersThatDoNotFit) {
  ByteVector largest = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  ByteVector too_large = largest, too_long = largest;
  too_large.back() = 0x02;
  too_long.back() = 0x81;
  too_long.push_back(0x01);
  auto run = [](const ByteVector &number) {
    ByteVector entries = {0x00, 0xff};
    entries.insert(entries.end(), number.begin(), number.end());
    return ErrorOf(File(1, entries));
  };
  EXPECT_EQ(run(too_large), LogError::kBadEntry);
  EXPECT_EQ(run(too_long), LogError::kBadEntry);
  EXPECT_EQ(run(largest), LogError::kBadEntry); // 16 more is too many
  largest.front() = 0xee;                       // 2^64 - 18, and 16, and the choice itself
  EXPECT_EQ(run(largest), LogError::kWrongCount);
  largest.front() = 0xef; // no room for the choice itself
  EXPECT_EQ(run(largest), LogError::kBadEntry);

  ByteVector file = {'H', 'C', 'L', 1};
  file.insert(file.end(), 10, 0xff);
  EXPECT_EQ(ErrorOf(file), LogError::kBadEntry);
}

// An enormous run is checked, held and printed without going through it.
TEST(ChoiceLog, EnormousRun) {
  ByteVector file = {'H', 'C', 'L', 1};
  ByteVector count = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  file.insert(file.end(), count.begin(), count.end());
  file.push_back(12);
  file.push_back(0x00);
  file.push_back(0xff);
  count.front() = 0xee;
  file.insert(file.end(), count.begin(), count.end());
  Log log;
  ASSERT_TRUE(log.Deserialize(file.data(), file.size()).Ok());
  EXPECT_EQ(log.Size(), ~u64(0));
  EXPECT_EQ(Text(log), "T0/2*18446744073709551615");
}

TEST(ChoiceLog, SaysWhereItIsWrong) {
  LogFile file;
  EXPECT_EQ(Check({'H', 'X'}, file).offset, 1u);
  EXPECT_EQ(Check({'H', 'C', 'L', 9}, file).offset, 3u);
  EXPECT_EQ(Check(File(2, {0x00, 0x70}), file).offset, 7u);
  EXPECT_EQ(Check(File(2, {0x0e, 9, 0x0f, 6, 6}), file).offset, 8u);
  EXPECT_EQ(Check(File(9, {0x00}), file).offset, 4u);
  EXPECT_EQ(Check({'H', 'C', 'L', 1, 0, 0, 7}, file).offset, 6u);
}

TEST(ChoiceLog, EntriesWithoutAHead) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 100; round++) {
    Choices choices = RandomChoices(random, random() % 300);
    Log log;
    Fill(log, choices);
    LogFile file;
    ASSERT_TRUE(CheckLogEntries(log.View().data, log.View().size, file).Ok());
    EXPECT_EQ(file.choices, choices.size());
    ASSERT_EQ(ToVector(file.entries), choices);
  }
  ByteVector bad = {0x00, 0x0f, 6, 6};
  LogFile file;
  LogStatus status = CheckLogEntries(bad.data(), bad.size(), file);
  EXPECT_EQ(status.error, LogError::kBadEntry);
  EXPECT_EQ(status.offset, 1u);
}

TEST(ChoiceLog, ExplainsEveryError) {
  std::set<std::string> sentences;
  for (int error = 0; error <= int(LogError::kTrailingBytes); error++)
    sentences.insert(ExplainLogError(LogError(error)));
  EXPECT_EQ(sentences.size(), uptr(LogError::kTrailingBytes) + 1);
}

TEST(ChoiceLog, AfterAnErrorItIsAsItWas) {
  Log log;
  Fill(log, {{T, 2, 0}, {T, 2, 0}});
  ByteVector bytes = File(1, {0x70});
  EXPECT_FALSE(log.Deserialize(bytes.data(), bytes.size()).Ok());
  log.Append({T, 2, 0});
  EXPECT_EQ(Text(log), "T0/2*3");
}

TEST(ChoiceLog, EveryTruncationIsNoticed) {
  std::mt19937_64 random(6);
  Log log;
  Fill(log, RandomChoices(random, 500));
  ByteVector bytes = Serialized(log);
  for (uptr size = 0; size < bytes.size(); size++)
    ASSERT_EQ(ErrorOf(ByteVector(bytes.begin(), bytes.begin() + size)), LogError::kTruncated);
}

// Whatever is accepted is a log, and the only encoding of it.
void ExpectSound(const ByteVector &bytes, int &accepted) {
  Log log;
  LogStatus status = log.Deserialize(bytes.data(), bytes.size());
  ASSERT_LE(status.offset, bytes.size());
  if (!status.Ok())
    return;
  accepted++;
  ASSERT_EQ(Serialized(log), bytes);
  if (log.Size() > 100000)
    return;
  Choices choices = ToVector(log);
  ASSERT_EQ(choices.size(), log.Size());
  Log again;
  Fill(again, choices);
  ASSERT_TRUE(again == log);
}

TEST(ChoiceLog, ArbitraryBytes) {
  std::mt19937_64 random(7);
  int accepted = 0;
  for (int round = 0; round < 200000; round++) {
    ByteVector bytes(random() % 12);
    for (u8 &byte : bytes)
      byte = random() % 4 ? u8(random() % 0x60) : u8(random());
    ASSERT_NO_FATAL_FAILURE(ExpectSound(bytes, accepted));
    ASSERT_NO_FATAL_FAILURE(ExpectSound(File(random() % 16, bytes), accepted));
  }
  EXPECT_GT(accepted, 1000);
}

TEST(ChoiceLog, DamagedLogs) {
  std::mt19937_64 random(8);
  int accepted = 0;
  for (int round = 0; round < 20000; round++) {
    Log log;
    Fill(log, RandomChoices(random, random() % 40));
    ByteVector bytes = Serialized(log);
    for (int changes = 1 + random() % 3; changes; changes--) {
      uptr at = random() % bytes.size();
      switch (random() % 3) {
      case 0:
        bytes[at] = u8(random());
        break;
      case 1:
        bytes[at] ^= u8(1 << random() % 8);
        break;
      default:
        bytes.insert(bytes.begin() + at, u8(random()));
      }
    }
    ASSERT_NO_FATAL_FAILURE(ExpectSound(bytes, accepted));
  }
  EXPECT_GT(accepted, 100);
}

TEST(ChoiceLogDeathTest, WhatIsNoChoice) {
  Log log;
  EXPECT_DEATH(log.Append({T, 1, 0}), "");
  EXPECT_DEATH(log.Append({T, 2, 2}), "");
}

} // namespace
