// heddle/demo/demo_events.h: entries, and what is none.

#include "heddle/demo/demo_events.h"

#include "demo_testing.h"

#include <gtest/gtest.h>

#include <random>

namespace {
using namespace __heddle;
using namespace testing_demo;

// An event with all that belongs to it, and how it is encoded and decoded.
struct Async {
  AsyncEvent event;

  using Encoder = AsyncEncoder<CountingMemory>;
  using Decoder = AsyncDecoder;

  static Async Random(std::mt19937_64 &random) {
    return {
        {random() >> random() % 64, u32(random() >> random() % 64), u8(random() % kAsyncKinds)}};
  }
  void Encode(Encoder &encoder, Bytes &bytes) const { encoder.Append(bytes, event); }
  static bool Decode(Decoder &decoder, Async &read) { return decoder.Next(read.event); }
  bool operator==(const Async &other) const {
    return event.tick == other.event.tick && event.thread == other.event.thread &&
           event.kind == other.event.kind;
  }
};

struct Signal {
  SignalEvent event;
  ByteVector info;

  using Encoder = SignalEncoder<CountingMemory>;
  using Decoder = SignalDecoder;

  static Signal Random(std::mt19937_64 &random) {
    Signal signal;
    signal.event.tick = random() >> random() % 64;
    signal.event.thread = u32(random() >> random() % 64);
    signal.event.place = u8(random());
    signal.info.resize(random() % (kMaxSignalInfo + 1));
    for (u8 &byte : signal.info)
      byte = u8(random());
    return signal;
  }
  void Encode(Encoder &encoder, Bytes &bytes) const {
    SignalEvent with_info = event;
    with_info.info = ToSpan(info);
    encoder.Append(bytes, with_info);
  }
  static bool Decode(Decoder &decoder, Signal &read) {
    if (!decoder.Next(read.event))
      return false;
    read.info = ToVector(read.event.info);
    return true;
  }
  bool operator==(const Signal &other) const {
    return event.tick == other.event.tick && event.thread == other.event.thread &&
           event.place == other.event.place && info == other.info;
  }
};

struct Syscall {
  SyscallEvent event;
  std::vector<ByteVector> parts;

  using Encoder = SyscallEncoder<CountingMemory>;
  using Decoder = SyscallDecoder;

  static Syscall Random(std::mt19937_64 &random) {
    Syscall call;
    call.event.tick = random() >> random() % 64;
    call.event.thread = u32(random() >> random() % 64);
    call.event.call = u16(random());
    call.event.result = s64(random()) >> random() % 64;
    call.event.error = s32(random()) >> random() % 32;
    call.parts.resize(random() % 8 ? random() % 4 : random() % (kMaxParts + 1));
    for (ByteVector &part : call.parts) {
      part.resize(random() % 8 ? random() % 8 : random() % 300);
      for (u8 &byte : part)
        byte = u8(random());
    }
    return call;
  }
  void Encode(Encoder &encoder, Bytes &bytes) const {
    encoder.Begin(bytes, event);
    for (const ByteVector &part : parts) {
      if (part.size() % 2) { // in two pieces
        encoder.BeginPart(bytes, part.size());
        encoder.AddToPart(bytes, part.data(), 1);
        encoder.AddToPart(bytes, part.data() + 1, part.size() - 1);
      } else {
        encoder.AppendPart(bytes, part.data(), part.size());
      }
    }
  }
  static bool Decode(Decoder &decoder, Syscall &read) {
    if (!decoder.Next(read.event))
      return false;
    read.parts.clear();
    for (ByteSpan part; decoder.NextPart(part);)
      read.parts.push_back(ToVector(part));
    EXPECT_EQ(read.parts.size(), read.event.parts);
    return true;
  }
  bool operator==(const Syscall &other) const {
    return event.tick == other.event.tick && event.thread == other.event.thread &&
           event.call == other.event.call && event.result == other.event.result &&
           event.error == other.event.error && parts == other.parts;
  }
};

// The values come from few, so that runs of all periods come up.
struct Queue {
  u32 value = 0;

  using Encoder = QueueEncoder<CountingMemory>;
  using Decoder = QueueDecoder;

  static Queue Random(std::mt19937_64 &random) {
    static u32 period = 1, next = 0, values[20];
    if (random() % 60 == 0) {
      period = 1 + random() % 20;
      for (u32 &value : values)
        value = random() % 10 ? u32(random() % 4) : u32(random());
    }
    return {random() % 30 ? values[next++ % period] : u32(random() % 4)};
  }
  void Encode(Encoder &encoder, Bytes &bytes) const { encoder.Append(bytes, value); }
  static bool Decode(Decoder &decoder, Queue &read) { return decoder.Next(read.value); }
  bool operator==(const Queue &other) const { return value == other.value; }
};

template <class Event> class DemoEvents : public testing::Test {
protected:
  using Events = std::vector<Event>;

  static Events RandomEvents(std::mt19937_64 &random, uptr count) {
    Events events;
    for (uptr i = 0; i < count; i++)
      events.push_back(Event::Random(random));
    return events;
  }

  static ByteVector Encode(const Events &events) {
    Bytes bytes;
    typename Event::Encoder encoder;
    for (const Event &event : events)
      event.Encode(encoder, bytes);
    return ToVector(bytes);
  }

  // At most `most`: a run can be longer than anyone would like to see it.
  static Events Decode(const ByteVector &bytes, DemoStatus &status, uptr most = 100000) {
    ByteVector exact = bytes; // so that a byte too far is noticed
    exact.shrink_to_fit();
    typename Event::Decoder decoder(ToSpan(exact));
    Events events;
    for (Event event; events.size() < most && Event::Decode(decoder, event);)
      events.push_back(event);
    status = decoder.Status();
    return events;
  }
};

using AllEvents = testing::Types<Async, Signal, Syscall, Queue>;
TYPED_TEST_SUITE(DemoEvents, AllEvents);

TYPED_TEST(DemoEvents, ReadsWhatWasWritten) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; round++) {
    auto events = TestFixture::RandomEvents(random, random() % 300);
    DemoStatus status;
    ASSERT_TRUE(TestFixture::Decode(TestFixture::Encode(events), status) == events);
    ASSERT_TRUE(status.Ok());
  }
}

TYPED_TEST(DemoEvents, FramesStandAlone) {
  std::mt19937_64 random(2);
  Bytes bytes;
  typename TypeParam::Encoder encoder;
  for (int frame = 0; frame < 100; frame++) {
    auto events = TestFixture::RandomEvents(random, random() % 40);
    for (const TypeParam &event : events)
      event.Encode(encoder, bytes);
    ByteVector content = ToVector(bytes);
    ASSERT_EQ(content, TestFixture::Encode(events));
    DemoStatus status;
    ASSERT_TRUE(TestFixture::Decode(content, status) == events);
    bytes.Clear();
  }
}

// At each moment, what has been encoded is all there: a process may die then.
TYPED_TEST(DemoEvents, WholeAfterEachEvent) {
  std::mt19937_64 random(3);
  auto events = TestFixture::RandomEvents(random, 200);
  Bytes bytes;
  typename TypeParam::Encoder encoder;
  for (uptr count = 0; count < events.size(); count++) {
    DemoStatus status;
    auto read = TestFixture::Decode(ToVector(bytes), status);
    ASSERT_TRUE(status.Ok());
    ASSERT_EQ(read.size(), count);
    ASSERT_TRUE(std::equal(read.begin(), read.end(), events.begin()));
    events[count].Encode(encoder, bytes);
  }
}

TYPED_TEST(DemoEvents, EveryTruncation) {
  std::mt19937_64 random(4);
  auto events = TestFixture::RandomEvents(random, 20);
  ByteVector bytes = TestFixture::Encode(events);
  for (uptr size = 0; size < bytes.size(); size++) {
    DemoStatus status;
    auto read = TestFixture::Decode(ByteVector(bytes.begin(), bytes.begin() + size), status);
    ASSERT_LE(status.offset, size);
    ASSERT_LE(read.size(), events.size());
    ASSERT_TRUE(std::equal(read.begin(), read.end(), events.begin()));
  }
}

TYPED_TEST(DemoEvents, ArbitraryBytes) {
  std::mt19937_64 random(5);
  int good = 0, bad = 0;
  for (int round = 0; round < 20000; round++) {
    ByteVector bytes(random() % 40);
    for (u8 &byte : bytes)
      byte = random() % 3 ? u8(random() % 8) : u8(random());
    DemoStatus status;
    auto read = TestFixture::Decode(bytes, status, 1000);
    ASSERT_LE(status.offset, bytes.size());
    (status.Ok() ? good : bad)++;
    // What was understood says the same when it is encoded anew.
    DemoStatus again;
    ASSERT_TRUE(TestFixture::Decode(TestFixture::Encode(read), again) == read);
    ASSERT_TRUE(again.Ok());
  }
  EXPECT_GT(good, 100);
  EXPECT_GT(bad, 100);
}

TEST(DemoAsyncEvents, TheBytes) {
  Bytes bytes;
  AsyncEncoder<CountingMemory> encoder;
  encoder.Append(bytes, {100, 2, 3});
  encoder.Append(bytes, {101, 2, 0});
  encoder.Append(bytes, {99, 2, 0});
  EXPECT_EQ(ToVector(bytes), (ByteVector{0xc8, 1, 2, 3, 2, 2, 0, 3, 2, 0}));
}

TEST(DemoSyscallEvents, TheBytes) {
  Bytes bytes;
  SyscallEncoder<CountingMemory> encoder;
  encoder.Begin(bytes, {5, 1, 7, -1, 11, 0});
  encoder.Begin(bytes, {6, 1, 7, 2, 0, 0});
  encoder.AppendPart(bytes, "ab", 2);
  encoder.AppendPart(bytes, "", 0);
  EXPECT_EQ(ToVector(bytes), (ByteVector{10, 1, 7, 1, 22, 0, 2, 1, 7, 4, 0, 2, 2, 'a', 'b', 0}));
}

TEST(DemoSyscallEvents, PartsMayBeLeftUnread) {
  Bytes bytes;
  SyscallEncoder<CountingMemory> encoder;
  for (u64 tick = 0; tick < 3; tick++) {
    encoder.Begin(bytes, {tick, 1, 7, 2, 0, 0});
    encoder.AppendPart(bytes, "ab", 2);
    encoder.AppendPart(bytes, "cd", 2);
  }
  SyscallDecoder decoder(ToSpan(bytes));
  SyscallEvent event;
  ByteSpan part;
  EXPECT_FALSE(decoder.NextPart(part));
  for (u64 tick = 0; tick < 3; tick++) {
    ASSERT_TRUE(decoder.Next(event));
    EXPECT_EQ(event.tick, tick);
    for (u64 i = 0; i < tick; i++)
      EXPECT_TRUE(decoder.NextPart(part));
  }
  EXPECT_FALSE(decoder.Next(event));
  EXPECT_FALSE(decoder.NextPart(part));
}

template <class NextValue> ByteVector Sequence(uptr count, NextValue next) {
  Bytes bytes;
  QueueEncoder<CountingMemory> encoder;
  for (uptr i = 0; i < count; i++)
    encoder.Append(bytes, next(i));
  return ToVector(bytes);
}

TEST(DemoQueue, TheBytes) {
  EXPECT_EQ(Sequence(3, [](uptr i) { return u32(i + 5); }), (ByteVector{10, 12, 14}));
  EXPECT_EQ(Sequence(1, [](uptr) { return ~u32(0); }), (ByteVector{0xfe, 0xff, 0xff, 0xff, 0x1f}));
  // A value, eight that are the same, and nine more.
  EXPECT_EQ(Sequence(18, [](uptr) { return 1; }), (ByteVector{2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 8}));
}

TEST(DemoQueue, TakingTurnsIsShort) {
  for (u32 threads = 1; threads <= demo_queue::kPeriods; threads++) {
    ByteVector bytes = Sequence(1000000, [&](uptr i) { return u32(i % threads); });
    EXPECT_LE(bytes.size(), threads + demo_queue::kStreak + 5);
  }
}

TEST(DemoQueue, PeriodsThatContainOthers) {
  u32 turns[] = {0, 0, 1, 0, 0, 2};
  EXPECT_LE(Sequence(1000000, [&](uptr i) { return turns[i % 6]; }).size(), 24u);
}

TEST(DemoQueue, WhatIsNoRun) {
  auto ok = [](const ByteVector &bytes) {
    QueueDecoder decoder(ToSpan(bytes));
    u32 value;
    for (int i = 0; i < 10 && decoder.Next(value); i++) {
    }
    return decoder.Status().Ok();
  };
  EXPECT_TRUE(ok({2, 1, 0}));
  EXPECT_FALSE(ok({1, 0}));                         // repeats nothing
  EXPECT_FALSE(ok({2, 3, 0}));                      // the value before the first
  EXPECT_FALSE(ok({2, 1}));                         // no count
  EXPECT_FALSE(ok({2, 0x21, 0}));                   // a period of 17
  EXPECT_FALSE(ok({0x80, 0x80, 0x80, 0x80, 0x20})); // a value of 33 bits
  ByteVector longest = {2, 1, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};
  EXPECT_TRUE(ok(longest));
  longest[2] = 0xff; // 2^64 times
  EXPECT_FALSE(ok(longest));
}

TEST(DemoSignalEvents, TooMuchInfo) {
  ByteVector bytes = {0, 0, 0, 0x81, 1};
  bytes.resize(5 + kMaxSignalInfo + 1);
  SignalDecoder decoder(ToSpan(bytes));
  SignalEvent event;
  EXPECT_FALSE(decoder.Next(event));
  EXPECT_EQ(decoder.Status().error, DemoError::kBadEntry);
}

TEST(DemoEventsDeathTest, Misuse) {
  Bytes bytes;
  AsyncEncoder<CountingMemory> async;
  EXPECT_DEATH(async.Append(bytes, {1, 1, kAsyncKinds}), "");
  SignalEncoder<CountingMemory> signal;
  ByteVector info(kMaxSignalInfo + 1);
  EXPECT_DEATH(signal.Append(bytes, {1, 1, 1, ToSpan(info)}), "");
  SyscallEncoder<CountingMemory> call;
  call.Begin(bytes, {});
  for (u32 i = 0; i < kMaxParts; i++)
    call.AppendPart(bytes, "", 0);
  EXPECT_DEATH(call.AppendPart(bytes, "", 0), "");
}

// 2^62 values are a few bytes; to check them takes no more than those.
TEST(DemoQueue, CheckDoesNotUnpack) {
  const u8 long_run[] = {2, 2, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f};
  EXPECT_TRUE(QueueDecoder::Check({long_run, sizeof(long_run)}).Ok());
  EXPECT_FALSE(QueueDecoder::Check({long_run, sizeof(long_run) - 1}).Ok());
  const u8 no_such_period[] = {2, 3, 0};
  EXPECT_EQ(QueueDecoder::Check({no_such_period, sizeof(no_such_period)}).offset, 1u);
  EXPECT_TRUE(QueueDecoder::Check({}).Ok());
}

} // namespace
