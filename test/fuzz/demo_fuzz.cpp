// Feeds bytes to the readers of a demo: as a file, as a file whose checksums are made
// right, since hardly any other gets further than those, and as the content of a frame
// of each stream. Whatever is understood must say the same when it is written anew.

#include "heddle/choice/choice_log.h"
#include "heddle/demo/demo_events.h"
#include "heddle/demo/demo_file.h"
#include "heddle/demo/demo_meta.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {
using namespace __heddle;

struct Memory {
  static void *Alloc(uptr bytes) { return malloc(bytes); }
  static void Free(void *block, uptr) { free(block); }
};
using Bytes = Growable<u8, Memory>;
using ByteVector = std::vector<u8>;

ByteSpan SpanOf(const Bytes &bytes) { return {bytes.Data(), bytes.Size()}; }

void Check(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s\n", what);
  abort();
}

bool Same(ByteSpan a, ByteSpan b) {
  return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// A run can be longer than anyone would like to see it.
constexpr int kMostEntries = 10000;

// Decodes, encodes what that gave, and decodes again.
template <class Event, class Decoder, class Encode, class Equal>
void TryEvents(ByteSpan content, Encode encode, Equal equal) {
  Bytes again;
  Decoder first(content);
  Event event, other;
  int count = 0;
  for (; count < kMostEntries && first.Next(event); count++)
    encode(again, event, first);
  Check(first.Status().offset <= content.size, "an error beyond the end");
  Decoder second(SpanOf(again));
  first = Decoder(content);
  for (; count; count--) {
    Check(first.Next(event) && second.Next(other), "an event was lost");
    Check(equal(event, first, other, second), "an event was changed");
  }
  Check(!second.Next(other) && second.Status().Ok(), "there is an event too many");
}

void TryAsync(ByteSpan content) {
  AsyncEncoder<Memory> encoder;
  TryEvents<AsyncEvent, AsyncDecoder>(
      content,
      [&](Bytes &bytes, const AsyncEvent &event, AsyncDecoder &) { encoder.Append(bytes, event); },
      [](const AsyncEvent &a, AsyncDecoder &, const AsyncEvent &b, AsyncDecoder &) {
        return a.tick == b.tick && a.thread == b.thread && a.kind == b.kind;
      });
}

void TrySignal(ByteSpan content) {
  SignalEncoder<Memory> encoder;
  TryEvents<SignalEvent, SignalDecoder>(
      content,
      [&](Bytes &bytes, const SignalEvent &event, SignalDecoder &) {
        encoder.Append(bytes, event);
      },
      [](const SignalEvent &a, SignalDecoder &, const SignalEvent &b, SignalDecoder &) {
        return a.tick == b.tick && a.thread == b.thread && a.place == b.place &&
               Same(a.info, b.info);
      });
}

void TrySyscall(ByteSpan content) {
  SyscallEncoder<Memory> encoder;
  TryEvents<SyscallEvent, SyscallDecoder>(
      content,
      [&](Bytes &bytes, const SyscallEvent &event, SyscallDecoder &decoder) {
        encoder.Begin(bytes, event);
        for (ByteSpan part; decoder.NextPart(part);)
          encoder.AppendPart(bytes, part.data, part.size);
      },
      [](const SyscallEvent &a, SyscallDecoder &in_a, const SyscallEvent &b, SyscallDecoder &in_b) {
        ByteSpan part, other;
        for (u32 i = 0; i < a.parts; i++)
          if (!in_a.NextPart(part) || !in_b.NextPart(other) || !Same(part, other))
            return false;
        return a.tick == b.tick && a.thread == b.thread && a.call == b.call &&
               a.result == b.result && a.error == b.error && a.parts == b.parts &&
               !in_a.NextPart(part) && !in_b.NextPart(other);
      });
}

void TryQueue(ByteSpan content) {
  QueueEncoder<Memory> encoder;
  TryEvents<u32, QueueDecoder>(
      content, [&](Bytes &bytes, u32 value, QueueDecoder &) { encoder.Append(bytes, value); },
      [](u32 a, QueueDecoder &, u32 b, QueueDecoder &) { return a == b; });
}

void TryChoice(ByteSpan content) {
  LogFile file;
  LogStatus status = CheckLogEntries(content.data, content.size, file);
  Check(status.offset <= content.size, "an error beyond the end");
  if (!status.Ok() || file.choices > kMostEntries)
    return;
  ChoiceLog<Memory> log;
  LogReader reader(file.entries);
  for (Choice choice; reader.Next(choice);)
    log.Append(choice);
  Check(Same({log.View().data, log.View().size}, content), "the choices were changed");
}

void TryMeta(ByteSpan content) {
  MetaReader reader;
  DemoStatus status = reader.Open(content);
  Check(status.offset <= content.size, "an error beyond the end");
  if (!status.Ok())
    return;
  Bytes again;
  MetaWriter<Memory> writer(again);
  for (MetaReader::Line line; reader.Next(line);) {
    std::vector<char> key(line.key.data, line.key.data + line.key.size);
    key.push_back('\0');
    std::vector<char> value(line.value.CopyTo(nullptr, 0) + 1);
    line.value.CopyTo(value.data(), value.size());
    writer.Add(key.data(), value.data(), value.size() - 1);
    MetaValue found;
    u64 number;
    Check(line.Is(key.data()) && reader.Find(key.data(), found), "a key is not found");
    reader.Find(key.data(), number);
  }
  Check(Same(SpanOf(again), content), "META was changed");
}

void TryContent(DemoStream stream, ByteSpan content) {
  switch (stream) {
  case DemoStream::kMeta:
    return TryMeta(content);
  case DemoStream::kChoice:
    return TryChoice(content);
  case DemoStream::kQueue:
    return TryQueue(content);
  case DemoStream::kSignal:
    return TrySignal(content);
  case DemoStream::kSyscall:
    return TrySyscall(content);
  case DemoStream::kAsync:
    return TryAsync(content);
  }
}

void TryFile(DemoStream stream, const ByteVector &file) {
  CodecMemory<Memory> codec;
  FrameReader<Memory> reader(codec);
  DemoStatus status = reader.Open(file.data(), file.size(), stream);
  Check(status.offset <= file.size(), "an error beyond the end");
  u32 number = 0;
  u64 until = 0;
  bool ended = false;
  for (FrameReader<Memory>::Frame frame; reader.Next(frame); number++) {
    Check(!ended && frame.number == number && frame.until >= until, "frames out of order");
    Check(frame.content.size <= kMaxContent, "a frame that is too long");
    until = frame.until;
    ended = frame.last;
    TryContent(stream, frame.content);
  }
  status = reader.Status();
  Check(status.offset <= file.size(), "an error beyond the end");
  Check(!status.Ok() || ended, "a recording without an end");
  Check(ExplainDemoError(status.error)[0], "an error without words");
}

u32 NumberAt(const ByteVector &file, uptr offset) {
  u32 number;
  memcpy(&number, &file[offset], 4);
  return number;
}

void PutAt(ByteVector &file, uptr offset, u32 number) { memcpy(&file[offset], &number, 4); }

// Makes the header and all frames that the bytes have room for pass the first checks.
void Repair(ByteVector &file) {
  using namespace demo_file;
  if (file.size() < kHeaderSize)
    return;
  memcpy(file.data(), kMagic, sizeof(kMagic));
  file[4] = kVersion;
  file[5] %= kDemoStreams;
  u32 seed = Checksum(0, file.data(), kHeaderSize - 4);
  PutAt(file, kHeaderSize - 4, seed);
  u32 number = 0;
  for (uptr frame = kHeaderSize; file.size() - frame >= kFrameSize;) {
    uptr left = file.size() - frame - kFrameSize;
    if (NumberAt(file, frame) != number && NumberAt(file, frame) % 8)
      PutAt(file, frame, number);
    number++;
    uptr size = NumberAt(file, frame + 16);
    if (size > left && size % 8)
      PutAt(file, frame + 16, u32(size = size % (left + 1)));
    if (!(file[frame + 20] & kDeflated) && NumberAt(file, frame + 12) % 8)
      PutAt(file, frame + 12, u32(size));
    file[frame + 20] %= 8;
    if (size <= left)
      PutAt(file, frame + 21, Checksum(0, &file[frame] + kFrameSize, size));
    PutAt(file, frame + 25, Checksum(seed, &file[frame], 25));
    if (size > left)
      return;
    frame += kFrameSize + size;
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ByteVector file(data, data + size);
  for (u32 stream = 0; stream < kDemoStreams; stream++)
    TryContent(DemoStream(stream), {data, size});
  DemoStream stream = DemoStream(size > 5 ? data[5] % kDemoStreams : 0);
  TryFile(stream, file);
  Repair(file);
  TryFile(stream, file);
  return 0;
}
