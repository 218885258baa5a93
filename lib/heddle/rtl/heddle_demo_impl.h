//===-- heddle_demo_impl.h - The recorder and the player ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the files heddle_demo*.cpp and heddle_input.cpp share.
//
// A recording has one lock: threads that are away write down what their calls
// brought while another has the turn. Its streams are flushed together, ASYNC last.
// What is before the last complete frame of ASYNC is then complete in all of them,
// wherever the process is killed.
//
// A replay has its demo in memory as a whole, from the start, but for QUEUE, whose runs are
// unpacked as they are asked for. The schedule's streams are asked with the turn; each thread
// asks for its own signals and calls.
//
// A few bytes of a demo may stand for any number of others, so what it takes is counted before
// it is taken, and play_demo_mb= is the limit.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_DEMO_IMPL_H
#define HEDDLE_RTL_DEMO_IMPL_H

#include "heddle/demo/demo_events.h"
#include "heddle/demo/demo_file.h"
#include "heddle/demo/demo_meta.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_demo.h"
#include "heddle/rtl/heddle_process_order.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __heddle {

class FileSink final : public DemoSink {
public:
  // A new file in the directory, out of the way of the program's descriptors.
  bool Open(const char *directory, DemoStream stream);
  void Close();
  bool Write(const void *bytes, uptr size) override;
  // What is written from here on is taken back by a return to here.
  void Remember();
  void Return();
  int error() const { return error_; }

private:
  int file_ = -1;
  int error_ = 0;
  uptr remembered_ = 0; // a position in the file
};

class Recorder {
public:
  // Stops the program if it cannot be done.
  void Open(const char *directory);
  // Does not: says so, and returns false.
  bool TryOpen(const char *directory);
  // META, a line each, then Begin.
  MetaWriter<RuntimeMemory> Meta() { return MetaWriter<RuntimeMemory>(meta_.Pending()); }
  void Begin();

  void Async(const AsyncEvent &event);
  void Signal(const SignalEvent &event);
  void Came(u32 options, u32 answer); // QUEUE
  // `references` as in heddle_pipes.h, if there are any.
  void Call(const SyscallEvent &event, ByteSpan bytes, ByteSpan references, const CallOrder &order);

  void Tick(u64 tick);
  void Idle();
  void Flush(bool last);
  // The recording ends here, unless it goes on after all.
  void End();
  void GoOn();
  void Abandon();

private:
  // As much time may be lost when the process is killed, in nanoseconds.
  static constexpr u64 kFlushAfter = 50'000'000;
  static constexpr u64 kLookAtClock = 1 << 8; // ticks

  struct Failure {
    const char *what; // null: there is none
    int error;
  };
  struct StreamOf {
    DemoStream stream;
    FrameWriter<RuntimeMemory> *writer;
  };
  Failure OpenFiles(const char *directory);
  [[noreturn]] void Refuse(const Failure &failure);
  void FlushLocked(bool last);
  void SayWhereItEnds(DemoStream stream); // the one that could not be written
  void NoteSize();
  __sanitizer::uptr PendingSize() const; // of the stream that has most
  bool IsNew() const;                    // there was a tick since the last flush

  __sanitizer::StaticSpinMutex mutex_;
  CodecMemory<RuntimeMemory> codec_;
  FileSink files_[kDemoStreams];
  FrameWriter<RuntimeMemory> meta_{codec_}, choice_{codec_}, queue_{codec_}, signal_{codec_},
      syscall_{codec_}, async_{codec_};
  AsyncEncoder<RuntimeMemory> async_encoder_;
  SignalEncoder<RuntimeMemory> signal_encoder_;
  SyscallEncoder<RuntimeMemory> syscall_encoder_;
  QueueEncoder<RuntimeMemory> queue_encoder_;
  char directory_[512];
  // Changed without the lock, by who has the turn: most ticks have nothing to write.
  __sanitizer::atomic_uint64_t until_ = {};
  __sanitizer::atomic_uint8_t full_ = {}; // there is enough for a frame
  u64 flushed_ = 0;                       // the time
  u64 flushed_until_ = 0;                 // what is before this tick is in all streams
  bool open_ = false;
};

// A call of a thread that brought something.
struct PlayedCall {
  u64 number; // among the thread's calls
  u16 call;
  s32 error;
  s64 result;
  ByteSpan bytes;
  ByteSpan references; // to what the program has written itself
  CallOrder order;     // among those of other processes
};

struct WriteReference;

class Player {
public:
  // Both stop the program if it is not a demo. The first returns the content of META.
  ByteSpan Open(const char *directory);
  void ReadStreams();

  const AsyncEvent *NextAsync() const {
    return next_async_ < async_.Size() ? &async_[next_async_] : nullptr;
  }
  void PopAsync() { next_async_++; }
  bool NextCame(u32 *options, u32 *answer);
  // Of the thread, in their order.
  const SignalEvent *NextSignal(ThreadId thread);
  void PopSignal(ThreadId thread) { Script(thread)->next_signal++; }
  const PlayedCall *NextCall(ThreadId thread);
  void PopCall(ThreadId thread) { Script(thread)->next_call++; }

  // What the program reads of its own writing: a place for it, that it is there, and a part of
  // it; false if it is not there yet. See heddle_pipes.h.
  u8 *RoomForWrite(ThreadId thread, u64 number, uptr size);
  void HasWritten(ThreadId thread, u64 number, u8 *bytes);
  bool TakeWritten(const WriteReference &reference, u8 *to);

  // The tick with which a recording that has no end ends.
  bool Complete() const { return complete_; }
  u64 End() const { return end_; }
  const char *directory() const { return directory_; }

private:
  struct KeptWrite {
    u64 number;
    uptr to_read; // bytes that reads of the demo are still to get
    uptr size;
    u8 *bytes; // when it has been written
  };
  // What the demo has for a thread.
  struct ThreadScript {
    Growable<KeptWrite, RuntimeMemory> writes; // that are read
    Growable<SignalEvent, RuntimeMemory> signals;
    Growable<PlayedCall, RuntimeMemory> calls;
    u32 next_signal = 0, next_call = 0;
  };
  ThreadScript *Script(ThreadId thread);
  KeptWrite *FindWrite(ThreadId thread, u64 number);
  void ExpectWrite(const WriteReference &reference);

  // Calls `decode` with the content of each frame, which stays.
  template <class Decode> void Read(DemoStream stream, Decode decode);
  ByteSpan ReadFile(DemoStream stream, __sanitizer::uptr *mapped);
  [[noreturn]] void Refuse(DemoStream stream, const DemoStatus &status);
  [[noreturn]] void RefuseFile(DemoStream stream, const char *why);
  // Counts memory that is about to be taken; false if it is too much.
  bool Take(__sanitizer::uptr bytes);
  template <class T> bool TakeElement() { return Take(kGrowth * sizeof(T)); }
  bool NextInQueue(u32 *value);
  void SortWrites();

  static constexpr u32 kMostThreads = 1 << 20;
  static constexpr uptr kGrowth = 2; // an array has room for so many times its elements

  const char *directory_ = nullptr;
  u64 id_ = 0;
  CodecMemory<RuntimeMemory> codec_;
  Growable<AsyncEvent, RuntimeMemory> async_;
  Growable<ByteSpan, RuntimeMemory> queue_;         // the frames
  QueueDecoder queue_decoder_{ByteSpan()};          // of the frame before next_queue_
  Growable<ThreadScript *, RuntimeMemory> scripts_; // by thread
  u32 next_async_ = 0, next_queue_ = 0;
  uptr taken_ = 0; // bytes
  __sanitizer::StaticSpinMutex writes_mutex_;
  u64 end_ = ~0ull;
  bool complete_ = true;
};

// The child of a fork, of which this is the directory. The first returns false if it cannot be.
bool RecordChild(const char *directory);
void PlayChild(const char *directory);
// schedule=, seed= and what else decides about a recording, as TSAN_OPTIONS has it.
const char *ScheduleOfRecording();

// The message is out: ends the process, with the exit code of a demo that cannot be played.
[[noreturn]] void RefuseDemo();

// If there is one: see demo_mode.
extern Recorder *recorder;
extern Player *player;

} // namespace __heddle

#endif // HEDDLE_RTL_DEMO_IMPL_H
