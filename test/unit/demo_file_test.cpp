// heddle/demo/demo_file.h: what is written is read, whatever happens to the file.

#include "heddle/demo/demo_file.h"

#include "demo_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace {
using namespace __heddle;
using namespace testing_demo;

constexpr u64 kId = 0x0123456789abcdef;
constexpr DemoStream kStream = DemoStream::kSyscall;

using Frames = std::vector<FrameCopy>;

ByteVector RandomContent(std::mt19937_64 &random) {
  ByteVector content(random() % 4 ? random() % 200 : random() % 200000);
  u32 letters = 1 + random() % 256;
  for (u8 &byte : content)
    byte = u8(random() % letters);
  return content;
}

Frames RandomFrames(std::mt19937_64 &random, uptr count) {
  Frames frames;
  u64 until = 0;
  for (uptr i = 0; i < count; i++) {
    until += random() % 3 ? random() % 1000 : 0;
    frames.push_back({until, i + 1 == count, RandomContent(random)});
  }
  return frames;
}

ByteVector FileOf(const Frames &frames, DemoStream stream = kStream, u64 id = kId,
                  FrameCoding coding = FrameCoding::kShortest) {
  Codec codec;
  Writer writer(codec);
  MemoryFile file;
  EXPECT_TRUE(writer.Start(file, stream, id));
  for (const FrameCopy &frame : frames) {
    writer.Append(frame.content.data(), frame.content.size());
    EXPECT_EQ(writer.PendingSize(), frame.content.size());
    EXPECT_TRUE(writer.Flush(frame.until, frame.last, coding));
    EXPECT_EQ(writer.PendingSize(), 0u);
  }
  EXPECT_EQ(writer.Written(), file.bytes.size());
  EXPECT_EQ(writer.Frames(), frames.size());
  return file.bytes;
}

// Three frames: deflated, as is, empty and last.
Frames SmallDemo() {
  ByteVector repeated(60, 'a');
  return {{10, false, repeated}, {20, false, {1, 2, 3}}, {30, true, {}}};
}

DemoStatus StatusOf(const ByteVector &file, DemoStream stream = kStream, u64 id = 0) {
  DemoStatus status;
  ReadAll(file, stream, status, id);
  return status;
}

TEST(DemoFile, ReadsWhatWasWritten) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; round++) {
    Frames frames = RandomFrames(random, 1 + random() % 8);
    for (FrameCoding coding : {FrameCoding::kShortest, FrameCoding::kAsIs}) {
      ByteVector file = FileOf(frames, kStream, kId, coding);
      DemoStatus status;
      ASSERT_TRUE(ReadAll(file, kStream, status, kId) == frames);
      ASSERT_EQ(status.error, DemoError::kNone);
    }
  }
}

TEST(DemoFile, TheBytes) {
  ByteVector file = FileOf({{0x1122, true, {7, 8}}}, DemoStream::kAsync, 0x0807060504030201);
  ASSERT_EQ(file.size(), demo_file::kHeaderSize + demo_file::kFrameSize + 2);
  ByteVector header = {'H', 'D', 'M', 'O', 3, 5, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(ByteVector(file.begin(), file.begin() + 14), header);
  ByteVector frame = {0, 0, 0, 0, 0x22, 0x11, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1};
  EXPECT_EQ(ByteVector(file.begin() + 18, file.begin() + 39), frame);
  EXPECT_EQ(ByteVector(file.end() - 2, file.end()), (ByteVector{7, 8}));
}

TEST(DemoFile, DeflatesWhatGetsShorter) {
  ByteVector zeros(100000), noise(100000);
  std::mt19937_64 random(2);
  for (u8 &byte : noise)
    byte = u8(random());
  uptr head = demo_file::kHeaderSize + demo_file::kFrameSize;
  EXPECT_LT(FileOf({{1, true, zeros}}).size(), head + 200);
  EXPECT_EQ(FileOf({{1, true, noise}}).size(), head + noise.size());
  EXPECT_EQ(FileOf({{1, true, zeros}}, kStream, kId, FrameCoding::kAsIs).size(),
            head + zeros.size());
}

TEST(DemoFile, ADeflatedFrameIsOneWrite) {
  Codec codec;
  Writer writer(codec);
  MemoryFile file;
  writer.Start(file, kStream, kId);
  ByteVector zeros(1000);
  writer.Append(zeros.data(), zeros.size());
  writer.Flush(1);
  EXPECT_EQ(file.writes, 2);
}

TEST(DemoFile, EveryTruncation) {
  Frames frames = SmallDemo();
  ByteVector file = FileOf(frames);
  for (uptr size = 0; size < file.size(); size++) {
    ByteVector cut(file.begin(), file.begin() + size);
    DemoStatus status;
    Frames read = ReadAll(cut, kStream, status, kId);
    ASSERT_EQ(status.error, DemoError::kTruncated) << size;
    ASSERT_TRUE(status.Usable());
    ASSERT_LE(status.offset, size);
    ASSERT_LE(read.size(), 2u);
    ASSERT_TRUE(std::equal(read.begin(), read.end(), frames.begin()));
    // As many frames as are there.
    Frames first(frames.begin(), frames.begin() + read.size() + 1);
    ASSERT_GT(FileOf(first).size(), size);
  }
}

TEST(DemoFile, EveryFlippedBit) {
  Frames frames = SmallDemo();
  ByteVector file = FileOf(frames);
  for (uptr bit = 0; bit < 8 * file.size(); bit++) {
    ByteVector damaged = file;
    damaged[bit / 8] ^= u8(1 << bit % 8);
    DemoStatus status;
    Frames read = ReadAll(damaged, kStream, status, kId);
    // Never taken for a recording that was cut off, and what comes before is right.
    ASSERT_FALSE(status.Usable()) << bit;
    ASSERT_LE(status.offset, bit / 8);
    ASSERT_TRUE(std::equal(read.begin(), read.end(), frames.begin()));
  }
}

TEST(DemoFile, EveryFlippedBitOfATruncatedFile) {
  Frames frames = SmallDemo();
  ByteVector file = FileOf(frames);
  for (uptr size = 1; size < file.size(); size++) {
    for (uptr bit = 0; bit < 8 * size; bit++) {
      ByteVector damaged(file.begin(), file.begin() + size);
      damaged[bit / 8] ^= u8(1 << bit % 8);
      DemoStatus status;
      Frames read = ReadAll(damaged, kStream, status, kId);
      ASSERT_FALSE(status.Ok());
      ASSERT_TRUE(std::equal(read.begin(), read.end(), frames.begin()));
    }
  }
}

TEST(DemoFile, OtherFiles) {
  ByteVector file = FileOf(SmallDemo());
  EXPECT_EQ(StatusOf(file, kStream, kId).error, DemoError::kNone);
  EXPECT_EQ(StatusOf(file, kStream, kId + 1).error, DemoError::kOtherDemo);
  EXPECT_EQ(StatusOf(file, DemoStream::kSignal, kId).error, DemoError::kOtherStream);
  ByteVector other = file;
  other[4] = 1;
  EXPECT_EQ(StatusOf(other).error, DemoError::kOtherVersion);
  EXPECT_EQ(StatusOf({'H', 'D', 'M', 'O', 1}).error, DemoError::kOtherVersion);
  EXPECT_EQ(StatusOf({'H', 'C', 'L', 1}).error, DemoError::kNotADemo);
  EXPECT_EQ(StatusOf({}).error, DemoError::kTruncated);
}

TEST(DemoFile, TheIdIsKnown) {
  ByteVector file = FileOf(SmallDemo());
  FrameScanner scanner;
  ASSERT_TRUE(scanner.Open(file.data(), file.size(), kStream).Ok());
  EXPECT_EQ(scanner.Id(), kId);
}

// Where the frames of SmallDemo() begin, and the end.
std::vector<uptr> Boundaries(const ByteVector &file) {
  std::vector<uptr> boundaries = {demo_file::kHeaderSize};
  FrameScanner scanner;
  scanner.Open(file.data(), file.size(), kStream);
  for (FrameScanner::Frame frame; scanner.Next(frame);)
    boundaries.push_back(boundaries.back() + demo_file::kFrameSize + frame.head.payload_size);
  return boundaries;
}

ByteVector Part(const ByteVector &file, uptr from, uptr to) {
  return ByteVector(file.begin() + from, file.begin() + to);
}

ByteVector Joined(std::initializer_list<ByteVector> parts) {
  ByteVector joined;
  for (const ByteVector &part : parts)
    joined.insert(joined.end(), part.begin(), part.end());
  return joined;
}

// A recording that was to end goes on: as if it had not been to.
TEST(DemoFile, LastFrameTakenBack) {
  Codec codec;
  Writer writer(codec), other(codec);
  MemoryFile file, without;
  for (auto [each, to] : {std::pair(&writer, &file), std::pair(&other, &without)}) {
    each->Start(*to, kStream, kId);
    each->Append("abc", 3);
    each->Flush(5);
    if (each == &writer) {
      const uptr size = file.bytes.size();
      each->Flush(5, /*last=*/true);
      EXPECT_GT(each->Written(), size);
      file.bytes.resize(size);
      each->GoOn();
      EXPECT_EQ(each->Written(), size);
    }
    each->Append("d", 1);
    each->Flush(7, /*last=*/true);
  }
  EXPECT_EQ(file.bytes, without.bytes);
  EXPECT_EQ(StatusOf(file.bytes).error, DemoError::kNone);
}

TEST(DemoFile, FramesInAnotherOrder) {
  ByteVector file = FileOf(SmallDemo());
  std::vector<uptr> at = Boundaries(file);
  ASSERT_EQ(at.size(), 4u);
  ByteVector header = Part(file, 0, at[0]), first = Part(file, at[0], at[1]),
             second = Part(file, at[1], at[2]), last = Part(file, at[2], at[3]);
  EXPECT_EQ(StatusOf(Joined({header, first, second, last})).error, DemoError::kNone);
  EXPECT_EQ(StatusOf(Joined({header, second, first, last})).error, DemoError::kMissingFrame);
  EXPECT_EQ(StatusOf(Joined({header, first, last})).error, DemoError::kMissingFrame);
  EXPECT_EQ(StatusOf(Joined({header, first, first, second, last})).error, DemoError::kMissingFrame);
  EXPECT_EQ(StatusOf(Joined({header, first, second, last, {0}})).error, DemoError::kTrailingBytes);
  EXPECT_EQ(StatusOf(Joined({header, first, second, last, last})).error, DemoError::kTrailingBytes);
}

TEST(DemoFile, FramesOfAnotherFile) {
  Frames frames = SmallDemo();
  ByteVector file = FileOf(frames);
  uptr first = demo_file::kHeaderSize;
  for (ByteVector other : {FileOf(frames, DemoStream::kSignal), FileOf(frames, kStream, kId + 1)})
    EXPECT_EQ(StatusOf(Joined({Part(file, 0, first), Part(other, first, other.size())})).error,
              DemoError::kDamaged);
}

// Good checksums over what no writer writes.
TEST(DemoFile, ImpossibleFrames) {
  using namespace demo_file;
  auto error_of = [](FrameHead head, const ByteVector &payload, u32 before = 0) {
    ByteVector file(kHeaderSize);
    u32 seed = WriteHeader(kStream, kId, file.data());
    auto add = [&](const FrameHead &frame, const ByteVector &bytes) {
      u8 out[kFrameSize];
      ByteVector readable = bytes;
      readable.resize(std::max<uptr>(bytes.size(), frame.payload_size));
      WriteFrame(frame, readable.data(), seed, out);
      file.insert(file.end(), out, out + kFrameSize);
      file.insert(file.end(), bytes.begin(), bytes.end());
    };
    for (head.number = 0; head.number < before; head.number++)
      add({head.number, 100, 0, 0, 0}, {});
    add(head, payload);
    return StatusOf(file).error;
  };
  ByteVector three = {1, 2, 3};
  EXPECT_EQ(error_of({0, 1, 3, 3, kLast}, three), DemoError::kNone);
  EXPECT_EQ(error_of({0, 1, 3, 3, 0}, three), DemoError::kTruncated);
  EXPECT_EQ(error_of({0, 1, 4, 3, kLast}, three), DemoError::kBadFrame);
  EXPECT_EQ(error_of({0, 1, 2, 3, kLast}, three), DemoError::kBadFrame);
  EXPECT_EQ(error_of({0, 1, 3, 3, kLast | kDeflated}, three), DemoError::kBadFrame);
  EXPECT_EQ(error_of({0, 1, 3, 3, 4}, three), DemoError::kBadFrame);
  EXPECT_EQ(error_of({0, 1, 0xffffffff, 3, kDeflated}, three), DemoError::kBadFrame);
  EXPECT_EQ(error_of({0, 1, u32(kMaxContent) + 1, 3, kDeflated}, three), DemoError::kBadFrame);
  // Nothing is allocated for what cannot be.
  CountingMemory::peak = CountingMemory::live;
  EXPECT_EQ(error_of({0, 1, u32(kMaxContent), 3, kDeflated}, three), DemoError::kBadFrame);
  EXPECT_EQ(CountingMemory::peak, CountingMemory::live);
  EXPECT_EQ(error_of({0, 1, 4, 0, kDeflated}, {}), DemoError::kBadFrame);
  EXPECT_EQ(error_of({0, 1, 5 * kMaxRatio, 3, kDeflated}, three), DemoError::kBadFrame);
  EXPECT_EQ(error_of({0, 1, 5 * kMaxRatio, 5, kDeflated}, three), DemoError::kTruncated);
  // Deflated, though it did not get shorter.
  ByteVector longer = {1, 3, 0, 0xfc, 0xff, 1, 2, 3};
  EXPECT_EQ(error_of({0, 1, 3, 8, kLast | kDeflated}, longer), DemoError::kBadFrame);
  EXPECT_EQ(error_of({0, 100, 3, 3, kLast}, three, 2), DemoError::kNone);
  EXPECT_EQ(error_of({0, 99, 3, 3, kLast}, three, 2), DemoError::kBadFrame);
}

TEST(DemoFile, AFullDisk) {
  Frames frames = SmallDemo();
  ByteVector whole = FileOf(frames);
  for (uptr capacity = 0; capacity < whole.size(); capacity++) {
    Codec codec;
    Writer writer(codec);
    MemoryFile file(capacity);
    writer.Start(file, kStream, kId);
    for (const FrameCopy &frame : frames) {
      writer.Append(frame.content.data(), frame.content.size());
      writer.Flush(frame.until, frame.last);
      EXPECT_EQ(writer.PendingSize(), 0u);
    }
    EXPECT_FALSE(writer.Good());
    // Nothing was written after what failed.
    EXPECT_EQ(file.bytes, Part(whole, 0, capacity));
    EXPECT_EQ(StatusOf(file.bytes).error, DemoError::kTruncated);
  }
}

// A file of a process that comes back to the writer in the middle of a write.
class Reentrant final : public DemoSink {
public:
  explicit Reentrant(Writer &writer) : writer_(writer) {}

  bool Write(const void *data, uptr size) override {
    file.Write(data, size);
    if (file.writes > 1) {
      EXPECT_FALSE(writer_.Flush(5, true, FrameCoding::kAsIs));
    }
    return true;
  }

  MemoryFile file;

private:
  Writer &writer_;
};

TEST(DemoFile, AFlushInTheMiddleOfAnother) {
  for (FrameCoding coding : {FrameCoding::kShortest, FrameCoding::kAsIs}) {
    Codec codec;
    Writer writer(codec);
    Reentrant sink(writer);
    writer.Start(sink, kStream, kId);
    ByteVector zeros(100);
    writer.Append(zeros.data(), zeros.size());
    EXPECT_TRUE(writer.Flush(1, false, coding));
    DemoStatus status;
    Frames read = ReadAll(sink.file.bytes, kStream, status);
    EXPECT_EQ(status.error, DemoError::kTruncated);
    EXPECT_TRUE(read == (Frames{{1, false, zeros}}));
  }
}

TEST(DemoFile, TooMuchForAFrame) {
  Codec codec;
  Writer writer(codec);
  MemoryFile file;
  writer.Start(file, kStream, kId);
  ByteVector much(kMaxContent + 1);
  writer.Append(much.data(), much.size());
  EXPECT_FALSE(writer.Flush(1));
  EXPECT_FALSE(writer.Good());
  EXPECT_EQ(StatusOf(file.bytes).error, DemoError::kTruncated);

  writer.Start(file = MemoryFile(), kStream, kId);
  writer.Append(much.data(), kMaxContent);
  EXPECT_TRUE(writer.Flush(1, true));
  EXPECT_EQ(StatusOf(file.bytes).error, DemoError::kNone);
}

TEST(DemoFile, MemoryIsBounded) {
  uptr before = CountingMemory::live;
  {
    Codec codec;
    Writer writer(codec);
    MemoryFile file;
    writer.Start(file, kStream, kId);
    ByteVector much(8 << 20);
    writer.Append(much.data(), much.size());
    writer.Flush(1);
    EXPECT_LT(CountingMemory::live, before + kCodecMemory + 1024);
    for (int i = 0; i < 100; i++) {
      for (int piece = 0; piece < 64; piece++)
        writer.Append(much.data(), kGoodContent / 64);
      writer.Flush(1);
    }
    EXPECT_LT(CountingMemory::live, before + kCodecMemory + 4 * kGoodContent);
  }
  EXPECT_EQ(CountingMemory::live, before);
}

TEST(DemoFile, NamesOfTheStreams) {
  std::set<std::string> names;
  for (u32 stream = 0; stream < kDemoStreams; stream++)
    names.insert(NameOf(DemoStream(stream)));
  EXPECT_EQ(names,
            (std::set<std::string>{"META", "CHOICE", "QUEUE", "SIGNAL", "SYSCALL", "ASYNC"}));
}

TEST(DemoFile, ArbitraryBytes) {
  std::mt19937_64 random(3);
  ByteVector file = FileOf(SmallDemo());
  for (int round = 0; round < 20000; round++) {
    ByteVector bytes = file;
    for (int changes = 1 + random() % 4; changes; changes--) {
      uptr at = random() % bytes.size();
      switch (random() % 3) {
      case 0:
        bytes[at] = u8(random());
        break;
      case 1:
        bytes.erase(bytes.begin() + at);
        break;
      default:
        bytes.insert(bytes.begin() + at, u8(random()));
      }
    }
    DemoStatus status = StatusOf(bytes);
    ASSERT_TRUE(bytes == file || !status.Ok());
  }
}

TEST(DemoFileDeathTest, Misuse) {
  Codec codec;
  Writer writer(codec);
  MemoryFile file;
  EXPECT_DEATH(writer.Start(file, kStream, 0), "");
  writer.Start(file, kStream, kId);
  writer.Flush(10);
  EXPECT_DEATH(writer.Flush(9), "");
  writer.Flush(10, true);
  EXPECT_DEATH(writer.Flush(11), "");
}

} // namespace
