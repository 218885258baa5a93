//===-- heddle_demo_player.cpp - A demo in memory -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_demo_impl.h"
#include "heddle/rtl/heddle_pipes.h"
#include "heddle/rtl/heddle_process_order.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_flags.h"
#include "tsan_rtl.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

Player *player;

void Player::Refuse(DemoStream stream, const DemoStatus &status) {
  Printf("ERROR: ThreadSanitizer: play_demo: %s/%s, byte %zu: %s\n", directory_, NameOf(stream),
         status.offset, ExplainDemoError(status.error));
  RefuseDemo();
}

void Player::RefuseFile(DemoStream stream, const char *why) {
  Printf("ERROR: ThreadSanitizer: play_demo: cannot read %s/%s%s. Name a directory that "
         "record_demo has written.\n",
         directory_, NameOf(stream), why);
  RefuseDemo();
}

bool Player::Take(uptr bytes) {
  const uptr limit = flags()->play_demo_mb > 0 ? uptr(flags()->play_demo_mb) << 20 : uptr(1) << 40;
  if (bytes > limit - taken_)
    return false;
  taken_ += bytes;
  return true;
}

// A demo may come from anyone: a link could lead to any file, and to open or read what is no file
// could take for ever.
ByteSpan Player::ReadFile(DemoStream stream, uptr *mapped) {
  char path[600];
  internal_snprintf(path, sizeof(path), "%s/%s", directory_, NameOf(stream));
  const uptr opened = internal_open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  int error = 0;
  if (internal_iserror(opened, &error))
    RefuseFile(stream, error == ELOOP ? ", which is a symbolic link" : "");
  const fd_t file = fd_t(opened);
  struct stat status;
  if (internal_iserror(internal_fstat(file, &status)) || !S_ISREG(status.st_mode))
    RefuseFile(stream, ", which is no file");
  const uptr size = uptr(status.st_size);
  if (!Take(size))
    Refuse(stream, {DemoError::kTooLarge, 0});
  *mapped = RoundUpTo(size + 1, GetPageSizeCached());
  char *bytes = static_cast<char *>(MmapOrDie(*mapped, "demo"));
  uptr done = 0;
  while (done < size) {
    const uptr got = internal_read(file, bytes + done, size - done);
    if (internal_iserror(got, &error) && error == EINTR)
      continue;
    if (internal_iserror(got))
      RefuseFile(stream, "");
    if (!got)
      break; // somebody has cut it meanwhile
    done += got;
  }
  internal_close(file);
  return {reinterpret_cast<const u8 *>(bytes), done};
}

template <class Decode> void Player::Read(DemoStream stream, Decode decode) {
  uptr mapped = 0;
  const ByteSpan file = ReadFile(stream, &mapped);
  FrameReader<RuntimeMemory> reader(codec_);
  DemoStatus status = reader.Open(file.data, file.size, stream, id_);
  if (!status.Ok())
    Refuse(stream, status);
  id_ = reader.Id();
  FrameReader<RuntimeMemory>::Frame frame;
  u64 until = 0;
  bool last = false;
  while (reader.Next(frame)) {
    until = frame.until;
    last = frame.last;
    if (!Take(frame.content.size + 1))
      Refuse(stream, {DemoError::kTooLarge, 0});
    u8 *copy = static_cast<u8 *>(RuntimeMemory::Alloc(frame.content.size + 1));
    internal_memcpy(copy, frame.content.data, frame.content.size);
    status = decode(ByteSpan{copy, frame.content.size});
    if (!status.Ok())
      Refuse(stream, status);
  }
  if (!reader.Status().Usable())
    Refuse(stream, reader.Status());
  UnmapOrDie(const_cast<u8 *>(file.data), mapped);
  taken_ -= file.size;
  // Beyond that, something may be missing.
  if (!last) {
    complete_ = false;
    end_ = Min(end_, until);
  }
}

ByteSpan Player::Open(const char *directory) {
  directory_ = directory;
  ByteSpan meta;
  // It is written at once. Of more than one frame, others might read another one.
  Read(DemoStream::kMeta, [&](ByteSpan content) {
    const bool first = !meta.data;
    meta = content;
    return DemoStatus{first ? DemoError::kNone : DemoError::kBadMeta, 0};
  });
  if (!complete_) {
    Printf(
        "ERROR: ThreadSanitizer: play_demo: %s/META has no content: the recording ended before it "
        "began.\n",
        directory_);
    RefuseDemo();
  }
  return meta;
}

// False if it is malformed.
static bool ReadOrder(SyscallDecoder &decoder, CallOrder *order) {
  ByteSpan part;
  if (!decoder.NextPart(part))
    return true;
  ByteReader reader(part.data, part.size);
  order->begin = reader.Number(~0ull >> 1);
  order->end = reader.Number(~0ull >> 1);
  return reader.Ok() && reader.AtEnd();
}

void Player::ReadStreams() {
  constexpr DemoStatus kTooLarge = {DemoError::kTooLarge, 0};
  Read(DemoStream::kChoice, [](ByteSpan content) {
    return DemoStatus{content.size ? DemoError::kBadEntry : DemoError::kNone, 0};
  });
  Read(DemoStream::kQueue, [&](ByteSpan content) {
    if (!TakeElement<ByteSpan>())
      return kTooLarge;
    queue_.Push(content);
    return QueueDecoder::Check(content);
  });
  Read(DemoStream::kSignal, [&](ByteSpan content) {
    SignalDecoder decoder(content);
    for (SignalEvent event; decoder.Next(event);) {
      if (event.thread >= kMostThreads || event.info.size != kSignalInfo ||
          event.place > u8(SignalPlace::kLast))
        return DemoStatus{DemoError::kBadEntry, 0};
      if (!TakeElement<SignalEvent>() || !Script(event.thread))
        return kTooLarge;
      Script(event.thread)->signals.Push(event);
    }
    return decoder.Status();
  });
  Read(DemoStream::kSyscall, [&](ByteSpan content) {
    SyscallDecoder decoder(content);
    for (SyscallEvent event; decoder.Next(event);) {
      if (event.thread >= kMostThreads)
        return DemoStatus{DemoError::kBadEntry, 0};
      PlayedCall call = {event.tick, event.call, event.error, event.result, {}, {}, {}};
      decoder.NextPart(call.bytes);
      decoder.NextPart(call.references);
      if (!ReadOrder(decoder, &call.order))
        return DemoStatus{DemoError::kBadEntry, 0};
      const u64 numbers[] = {call.order.begin, call.order.end};
      for (u64 number : numbers) {
        if (number && !TakeElement<u64>())
          return kTooLarge;
        if (number)
          ExpectOrder(number);
      }
      ByteReader references(call.references.data, call.references.size);
      for (WriteReference each; NextReference(references, each);) {
        if (each.thread >= kMostThreads)
          references.Fail();
        else if (!TakeElement<KeptWrite>() || !Script(each.thread))
          return kTooLarge;
        else
          ExpectWrite(each);
      }
      if (!references.Ok())
        return DemoStatus{DemoError::kBadEntry, 0};
      if (!TakeElement<PlayedCall>() || !Script(event.thread))
        return kTooLarge;
      Script(event.thread)->calls.Push(call);
    }
    return decoder.Status();
  });
  SortWrites();
  Read(DemoStream::kAsync, [&](ByteSpan content) {
    AsyncDecoder decoder(content);
    for (AsyncEvent event; decoder.Next(event);) {
      if (event.kind > u8(AsyncKind::kLast))
        return DemoStatus{DemoError::kBadEntry, 0};
      if (!TakeElement<AsyncEvent>())
        return kTooLarge;
      async_.Push(event);
    }
    return decoder.Status();
  });
  EnterOrder();
}

Player::ThreadScript *Player::Script(ThreadId thread) {
  if (scripts_.Size() <= thread && !Take(kGrowth * sizeof(void *) * (thread + 1 - scripts_.Size())))
    return nullptr;
  while (scripts_.Size() <= thread)
    scripts_.Push(nullptr);
  if (!scripts_[thread]) {
    if (!Take(sizeof(ThreadScript)))
      return nullptr;
    scripts_[thread] = new (RuntimeMemory::Alloc(sizeof(ThreadScript))) ThreadScript;
  }
  return scripts_[thread];
}

bool Player::NextInQueue(u32 *value) {
  while (!queue_decoder_.Next(*value)) {
    if (next_queue_ == queue_.Size())
      return false;
    queue_decoder_ = QueueDecoder(queue_[next_queue_++]);
  }
  return true;
}

bool Player::NextCame(u32 *options, u32 *answer) {
  return NextInQueue(options) && NextInQueue(answer);
}

const SignalEvent *Player::NextSignal(ThreadId thread) {
  if (thread >= scripts_.Size() || !scripts_[thread])
    return nullptr;
  ThreadScript *script = scripts_[thread];
  return script->next_signal < script->signals.Size() ? &script->signals[script->next_signal]
                                                      : nullptr;
}

const PlayedCall *Player::NextCall(ThreadId thread) {
  if (thread >= scripts_.Size() || !scripts_[thread])
    return nullptr;
  ThreadScript *script = scripts_[thread];
  return script->next_call < script->calls.Size() ? &script->calls[script->next_call] : nullptr;
}

} // namespace __heddle
