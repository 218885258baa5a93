//===-- heddle_demo_player.cpp - A demo in memory -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_demo_impl.h"
#include "heddle/rtl/heddle_pipes.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"

using namespace __sanitizer;

namespace __heddle {

Player *player;

void Player::Refuse(DemoStream stream, const DemoStatus &status) {
  Printf("ERROR: ThreadSanitizer: play_demo: %s/%s, byte %zu: %s\n", directory_, NameOf(stream),
         status.offset, ExplainDemoError(status.error));
  RefuseDemo();
}

template <class Decode> void Player::Read(DemoStream stream, Decode decode) {
  char path[600];
  internal_snprintf(path, sizeof(path), "%s/%s", directory_, NameOf(stream));
  char *file = nullptr;
  uptr mapped = 0, size = 0;
  if (!ReadFileToBuffer(path, &file, &mapped, &size, uptr(1) << 36)) {
    Printf(
        "ERROR: ThreadSanitizer: play_demo: cannot read %s. Name a directory that record_demo has "
        "written.\n",
        path);
    RefuseDemo();
  }
  FrameReader<RuntimeMemory> reader(codec_);
  DemoStatus status = reader.Open(reinterpret_cast<const u8 *>(file), size, stream, id_);
  if (!status.Ok())
    Refuse(stream, status);
  id_ = reader.Id();
  FrameReader<RuntimeMemory>::Frame frame;
  u64 until = 0;
  bool last = false;
  while (reader.Next(frame)) {
    until = frame.until;
    last = frame.last;
    u8 *copy = static_cast<u8 *>(RuntimeMemory::Alloc(frame.content.size + 1));
    internal_memcpy(copy, frame.content.data, frame.content.size);
    status = decode(ByteSpan{copy, frame.content.size});
    if (!status.Ok())
      Refuse(stream, status);
  }
  if (!reader.Status().Usable())
    Refuse(stream, reader.Status());
  if (mapped)
    UnmapOrDie(file, mapped);
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

void Player::ReadStreams() {
  Read(DemoStream::kChoice, [](ByteSpan content) {
    return DemoStatus{content.size ? DemoError::kBadEntry : DemoError::kNone, 0};
  });
  Read(DemoStream::kQueue, [&](ByteSpan content) {
    QueueDecoder decoder(content);
    for (u32 value; decoder.Next(value);)
      queue_.Push(value);
    return decoder.Status();
  });
  Read(DemoStream::kSignal, [&](ByteSpan content) {
    SignalDecoder decoder(content);
    for (SignalEvent event; decoder.Next(event);) {
      if (event.thread >= kMostThreads || event.info.size != kSignalInfo ||
          event.place > u8(SignalPlace::kLast))
        return DemoStatus{DemoError::kBadEntry, 0};
      Script(event.thread)->signals.Push(event);
    }
    return decoder.Status();
  });
  Read(DemoStream::kSyscall, [&](ByteSpan content) {
    SyscallDecoder decoder(content);
    for (SyscallEvent event; decoder.Next(event);) {
      if (event.thread >= kMostThreads)
        return DemoStatus{DemoError::kBadEntry, 0};
      PlayedCall call = {event.tick, event.call, event.error, event.result, {}, {}};
      decoder.NextPart(call.bytes);
      decoder.NextPart(call.references);
      ByteReader references(call.references.data, call.references.size);
      for (WriteReference each; NextReference(references, each);) {
        if (each.thread >= kMostThreads)
          references.Fail();
        else
          ExpectWrite(each);
      }
      if (!references.Ok())
        return DemoStatus{DemoError::kBadEntry, 0};
      Script(event.thread)->calls.Push(call);
    }
    return decoder.Status();
  });
  Read(DemoStream::kAsync, [&](ByteSpan content) {
    AsyncDecoder decoder(content);
    for (AsyncEvent event; decoder.Next(event);) {
      if (event.kind > u8(AsyncKind::kLast))
        return DemoStatus{DemoError::kBadEntry, 0};
      async_.Push(event);
    }
    return decoder.Status();
  });
}

Player::ThreadScript *Player::Script(ThreadId thread) {
  while (scripts_.Size() <= thread)
    scripts_.Push(nullptr);
  if (!scripts_[thread])
    scripts_[thread] = new (RuntimeMemory::Alloc(sizeof(ThreadScript))) ThreadScript;
  return scripts_[thread];
}

bool Player::NextCame(u32 *options, u32 *answer) {
  if (next_queue_ + 2 > queue_.Size())
    return false;
  *options = queue_[next_queue_++];
  *answer = queue_[next_queue_++];
  return true;
}

const SignalEvent *Player::NextSignal(ThreadId thread) {
  if (thread >= scripts_.Size() || !scripts_[thread])
    return nullptr;
  ThreadScript *script = scripts_[thread];
  return script->next_signal < script->signals.Size() ? &script->signals[script->next_signal]
                                                      : nullptr;
}

bool Player::MoreSignals() const {
  for (u32 i = 0; i < scripts_.Size(); i++)
    if (scripts_[i] && scripts_[i]->next_signal < scripts_[i]->signals.Size())
      return true;
  return false;
}

void Player::AddProcess(int recorded, int real) {
  SpinMutexLock lock(&processes_mutex_);
  processes_.Push({recorded, real});
}

const Player::Process *Player::FindProcess(int recorded) {
  SpinMutexLock lock(&processes_mutex_);
  for (u32 i = u32(processes_.Size()); i-- > 0;) // numbers come again
    if (processes_[i].recorded == recorded)
      return &processes_[i];
  return nullptr;
}

const PlayedCall *Player::NextCall(ThreadId thread) {
  if (thread >= scripts_.Size() || !scripts_[thread])
    return nullptr;
  ThreadScript *script = scripts_[thread];
  return script->next_call < script->calls.Size() ? &script->calls[script->next_call] : nullptr;
}

} // namespace __heddle
