//===-- demo_file.h - The files of a demo ---------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A demo is a directory with a file for each stream of events. A file is a header
// and frames, one after the other as the recording goes on, each whole in itself.
// All numbers are little-endian and there is no padding:
//
//   the header
//      0   4  "HDMO"
//      4   1  the version of the format
//      5   1  the stream
//      6   8  the demo's id, not 0, the same in all its files
//     14   4  the checksum of bytes 0 to 13
//
//   a frame
//      0   4  its number, from 0
//      4   8  until: all events of this stream before this tick are in this frame
//             or an earlier one
//     12   4  the size of its content
//     16   4  the size of its payload
//     20   1  flags: 1 the last frame of the recording, 2 the payload is deflated
//     21   4  the checksum of the payload
//     25   4  the checksum of bytes 0 to 24, seeded with the header's
//     29      the payload: the content, deflated if that is shorter
//
// The two checksums of a frame tell a file that was cut off from a damaged one: a
// size is known to be right before it is found that the file has fewer bytes.
// The seed ties a frame to its file.
//
// A file may end anywhere, since a recording may. The frames before that are good,
// and the reader gives them. What it holds in memory is one frame at a time, of
// at most kMaxContent bytes.
//
// docs/demo.md has the reasons.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_DEMO_DEMO_FILE_H
#define HEDDLE_DEMO_DEMO_FILE_H

#include "heddle/choice/check.h"
#include "heddle/choice/growable.h"
#include "heddle/demo/demo_bytes.h"
#include "heddle/demo/demo_codec.h"
#include "heddle/demo/demo_status.h"

namespace __heddle {

// The numbers are part of the format: add at the end, never renumber.
enum class DemoStream : u8 {
  kMeta,    // what was run, how and by which version
  kChoice,  // choices that the seed does not determine
  kQueue,   // the order in which threads came
  kSignal,  // signals, and where they were taken
  kSyscall, // what system calls gave
  kAsync,   // what happened to the schedule at the whim of time
};
constexpr u32 kDemoStreams = u32(DemoStream::kAsync) + 1;

// Of the stream's file in the directory.
constexpr const char *NameOf(DemoStream stream) {
  switch (stream) {
  case DemoStream::kMeta:
    return "META";
  case DemoStream::kChoice:
    return "CHOICE";
  case DemoStream::kQueue:
    return "QUEUE";
  case DemoStream::kSignal:
    return "SIGNAL";
  case DemoStream::kSyscall:
    return "SYSCALL";
  case DemoStream::kAsync:
    return "ASYNC";
  }
  __builtin_unreachable();
}

namespace demo_file {
constexpr u8 kMagic[4] = {'H', 'D', 'M', 'O'};
constexpr u8 kVersion = 3;
constexpr uptr kHeaderSize = 18;
constexpr uptr kFrameSize = 29;
constexpr u8 kLast = 1;
constexpr u8 kDeflated = 2;

// No byte of deflate's stands for more: it takes two bits to repeat 258.
constexpr u32 kMaxRatio = 1032;

// Writes a file's header to `out` and returns its checksum.
u32 WriteHeader(DemoStream stream, u64 id, u8 out[kHeaderSize]);

struct FrameHead {
  u32 number = 0;
  u64 until = 0;
  u32 content_size = 0;
  u32 payload_size = 0;
  u8 flags = 0;
};
void WriteFrame(const FrameHead &head, const u8 *payload, u32 seed, u8 out[kFrameSize]);
} // namespace demo_file

// The most that a frame can hold. An entry is never divided, so this bounds the
// output of a system call, too.
constexpr uptr kMaxContent = 64 << 20;

// Longer ones hardly compress better, and are more to lose. Flush at this size.
constexpr uptr kGoodContent = 64 << 10;

// What may be appended whenever less than kGoodContent bytes are pending.
constexpr uptr kMaxEntry = kMaxContent - kGoodContent;

// Where a file goes.
class DemoSink {
public:
  // All of the bytes, or false.
  virtual bool Write(const void *bytes, uptr size) {
    (void)bytes, (void)size;
    return false;
  }

protected:
  constexpr DemoSink() = default;
  ~DemoSink() = default;
};

enum class FrameCoding {
  kShortest,
  kAsIs, // takes neither time nor memory, for a process that is about to die
};

// Collects the bytes of a stream and writes them as frames.
//
// After a write that failed nothing more is written: what follows half a frame
// could not be read. Whatever is pending is dropped then. A Flush() in the middle of
// another, by a process that dies there, writes nothing for the same reason.
template <class Memory> class FrameWriter {
public:
  using Bytes = Growable<u8, Memory>;

  // Nobody else uses `codec` at the same time.
  constexpr explicit FrameWriter(CodecMemory<Memory> &codec) : codec_(codec) {}

  // Begins a file. The sink outlives the writer.
  bool Start(DemoSink &sink, DemoStream stream, u64 id) {
    Require(id != 0);
    sink_ = &sink;
    number_ = 0;
    written_ = 0;
    until_ = 0;
    ended_ = false;
    pending_.Clear();
    u8 header[demo_file::kHeaderSize];
    seed_ = demo_file::WriteHeader(stream, id, header);
    if (!Write(sink, header, sizeof(header)))
      sink_ = nullptr;
    return Good();
  }

  // Encoders append here. It is empty at the beginning of each frame, and that is
  // where they start anew.
  Bytes &Pending() { return pending_; }
  uptr PendingSize() const { return pending_.Size(); }
  void Append(const void *bytes, uptr size) {
    pending_.Append(static_cast<const u8 *>(bytes), size);
  }

  // Writes what is pending as a frame, also if it is nothing: then the frame says
  // that nothing happened. `until` never decreases; nothing follows the last frame.
  bool Flush(u64 until, bool last = false, FrameCoding coding = FrameCoding::kShortest) {
    Require(until >= until_ && !ended_);
    DemoSink *sink = sink_;
    sink_ = nullptr;
    begin_ = written_;
    if (!sink || pending_.Size() > kMaxContent || !WriteFrame(*sink, until, last, coding)) {
      pending_.Clear();
      return false;
    }
    sink_ = sink;
    ended_ = last;
    until_ = until;
    number_++;
    pending_.Clear();
    if (coding != FrameCoding::kAsIs) {
      KeepLittle(pending_);
      KeepLittle(out_);
    }
    return true;
  }

  // The last frame is taken back: who owns the sink has cut it off there.
  void GoOn() {
    Require(ended_);
    ended_ = false;
    number_--;
    written_ = begin_;
  }

  // Neither Start() nor any Flush() has failed.
  bool Good() const { return sink_; }
  u64 Written() const { return written_; }
  u32 Frames() const { return number_; }

private:
  // Shorter content rarely gets shorter, and it takes 2 us to try.
  static constexpr uptr kLeastDeflated = 48;
  static constexpr uptr kKept = 4 * kGoodContent;

  bool WriteFrame(DemoSink &sink, u64 until, bool last, FrameCoding coding) {
    using namespace demo_file;
    const ByteSpan content = {pending_.Data(), pending_.Size()};
    FrameHead head;
    head.number = number_;
    head.until = until;
    head.content_size = head.payload_size = u32(content.size);
    head.flags = last ? kLast : 0;
    if (coding == FrameCoding::kShortest && content.size >= kLeastDeflated) {
      // One write for all, so that a kill is unlikely to come between.
      out_.Clear();
      u8 *out = out_.Extend(kFrameSize + content.size);
      uptr size = Deflate(content.data, content.size, out + kFrameSize, content.size, codec_.Get());
      if (size) {
        head.payload_size = u32(size);
        head.flags |= kDeflated;
        demo_file::WriteFrame(head, out + kFrameSize, seed_, out);
        return Write(sink, out, kFrameSize + size);
      }
    }
    u8 bytes[kFrameSize];
    demo_file::WriteFrame(head, content.data, seed_, bytes);
    return Write(sink, bytes, sizeof(bytes)) &&
           (content.size == 0 || Write(sink, content.data, content.size));
  }

  bool Write(DemoSink &sink, const u8 *bytes, uptr size) {
    if (!sink.Write(bytes, size))
      return false;
    written_ += size;
    return true;
  }

  // One long entry is no reason to hold that much memory for the rest of the run.
  static void KeepLittle(Bytes &bytes) {
    if (bytes.Capacity() > kKept)
      bytes.Release();
  }

  CodecMemory<Memory> &codec_;
  DemoSink *sink_ = nullptr; // null: not started, failed, or in the middle of Flush()
  Bytes pending_;
  Bytes out_;
  u64 written_ = 0;
  u64 begin_ = 0; // of the frame that was written last
  u64 until_ = 0;
  u32 seed_ = 0;
  u32 number_ = 0;
  bool ended_ = false;
};

// Goes through the frames of a file in memory without unpacking them. Allocates
// nothing.
class FrameScanner {
public:
  struct Frame {
    demo_file::FrameHead head;
    const u8 *payload = nullptr;

    bool Last() const { return head.flags & demo_file::kLast; }
    bool Deflated() const { return head.flags & demo_file::kDeflated; }
  };

  // Checks the header. `id` 0: of any demo. The bytes outlive the scanner.
  DemoStatus Open(const u8 *bytes, uptr size, DemoStream stream, u64 id = 0);

  u64 Id() const { return id_; }

  // The next good frame. False at the end of the recording and at the first thing
  // that is wrong; Status() tells which, also whether the recording has an end.
  bool Next(Frame &frame);

  DemoStatus Status() const { return status_; }
  void Fail(DemoError error) { status_ = {error, frame_}; } // the frame that Next() gave last

private:
  DemoError CheckHeader(DemoStream stream, u64 id);
  DemoError CheckFrame(Frame &frame);

  const u8 *bytes_ = nullptr;
  uptr size_ = 0;
  uptr next_ = 0;  // of the next frame
  uptr frame_ = 0; // of the last one
  u64 id_ = 0;
  u64 until_ = 0;
  u32 seed_ = 0;
  u32 number_ = 0;
  bool open_ = false, ended_ = false;
  DemoStatus status_;
};

// The frames of a file with their contents.
template <class Memory> class FrameReader {
public:
  struct Frame {
    u32 number = 0;
    u64 until = 0;
    bool last = false;
    ByteSpan content; // until the next call
  };

  constexpr explicit FrameReader(CodecMemory<Memory> &codec) : codec_(codec) {}

  // As with FrameScanner.
  DemoStatus Open(const u8 *bytes, uptr size, DemoStream stream, u64 id = 0) {
    return scanner_.Open(bytes, size, stream, id);
  }
  u64 Id() const { return scanner_.Id(); }
  DemoStatus Status() const { return scanner_.Status(); }

  bool Next(Frame &frame) {
    FrameScanner::Frame packed;
    if (!scanner_.Next(packed))
      return false;
    ByteSpan content = {packed.payload, packed.head.payload_size};
    if (packed.Deflated()) {
      content_.Clear();
      u8 *out = content_.Extend(packed.head.content_size);
      if (!Inflate(content.data, content.size, out, packed.head.content_size, codec_.Get())) {
        scanner_.Fail(DemoError::kBadFrame);
        return false;
      }
      content = {out, packed.head.content_size};
    }
    frame = {packed.head.number, packed.head.until, packed.Last(), content};
    return true;
  }

private:
  CodecMemory<Memory> &codec_;
  FrameScanner scanner_;
  Growable<u8, Memory> content_;
};

} // namespace __heddle

#endif // HEDDLE_DEMO_DEMO_FILE_H
