//===-- heddle_pipes.cpp - What the program writes to itself --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_pipes.h"

#include "heddle/rtl/heddle_demo_impl.h"
#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <sys/stat.h>
#include <sys/syscall.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

// A write whose bytes have not been read yet, or not all.
struct Write {
  Write *next; // the first member: see FreeWrite
  ThreadId thread;
  u64 number;
  uptr size, read;
  uptr found; // in the search that is going on
  u8 *Data() { return reinterpret_cast<u8 *>(this + 1); }
};

// One direction. It goes by the number that the kernel has for each end.
struct Pipe {
  u64 reads, writes;
  Write *first, *last;
  uptr held; // bytes
};

// To forget is always right. So many are known, and the one that was made first is forgotten for
// the next; so many bytes are held, after which nobody inside seems to read them.
constexpr uptr kMostPipes = 256;
constexpr uptr kMostHeld = 16 << 20;
// So many writes in a row that do not fit end a search.
constexpr uptr kMostStrange = 64;

StaticSpinMutex mutex;
Pipe pipes[kMostPipes];
uptr pipes_made;

u64 NumberOf(int fd) {
  struct stat status;
  return KernelCall(SYS_fstat, fd, &status) ? 0 : status.st_ino;
}

void FreeWrite(Pipe &pipe, Write **link) {
  Write *write = *link;
  *link = write->next;
  if (write == pipe.last)
    pipe.last = link == &pipe.first ? nullptr : reinterpret_cast<Write *>(link);
  pipe.held -= write->size;
  Free(write);
}

void Forget(Pipe &pipe) {
  while (pipe.first)
    FreeWrite(pipe, &pipe.first);
  pipe = {};
}

template <class End> Pipe *Find(u64 number, End end) {
  for (uptr i = 0; number && i < Min(pipes_made, kMostPipes); i++)
    if (pipes[i].*end == number)
      return &pipes[i];
  return nullptr;
}

uptr SizeOf(const iovec *parts, uptr count) {
  uptr size = 0;
  for (uptr i = 0; i < count; i++)
    size += parts[i].iov_len;
  return size;
}

void Gather(u8 *to, const iovec *parts, uptr count) {
  for (uptr i = 0; i < count; to += parts[i++].iov_len)
    internal_memcpy(to, parts[i].iov_base, parts[i].iov_len);
}

// Whether the bytes are those of writes, in the order of the writes where that is possible.
// `equal` says how many.
bool Search(Pipe &pipe, const u8 *data, uptr size, Bytes &references, uptr *equal) {
  bool found = true;
  while (size && found) {
    found = false;
    uptr strange = 0;
    for (Write *write = pipe.first; write && size && strange < kMostStrange; write = write->next) {
      const uptr from = write->read + write->found, part = Min(write->size - from, size);
      if (!part)
        continue;
      if (internal_memcmp(write->Data() + from, data, part)) {
        strange++;
        continue;
      }
      strange = 0;
      PushNumber(references, write->thread);
      PushNumber(references, write->number);
      PushNumber(references, from);
      PushNumber(references, part);
      write->found += part;
      *equal += part;
      data += part;
      size -= part;
      found = true;
    }
  }
  return !size;
}

} // namespace

//===-- Recording ---------------------------------------------------------===//

void NewPipe(int reads, int writes) {
  const Pipe pipe = {NumberOf(reads), NumberOf(writes), nullptr, nullptr, 0};
  SpinMutexLock lock(&mutex);
  Pipe &place = pipes[pipes_made++ % kMostPipes];
  Forget(place);
  place = pipe;
}

// Another thread of the parent may have had the lock. The memory is left to it.
void ForgetPipes() {
  mutex.Init();
  internal_memset(pipes, 0, sizeof(pipes));
  pipes_made = 0;
}

PipeWrite::PipeWrite(int fd, const void *data, uptr size) {
  const iovec part = {const_cast<void *>(data), size};
  *this = PipeWrite(fd, &part, 1);
}

PipeWrite::PipeWrite(int fd, const iovec *parts, uptr count) {
  ControlledThread *thread = ThreadWithInput();
  if (!thread)
    return;
  const int error = errno;
  thread_ = thread->id;
  number_ = thread->writes++;
  const uptr size = SizeOf(parts, count);
  if (Playing()) {
    if (u8 *copy = player->RoomForWrite(thread_, number_, size)) {
      Gather(copy, parts, count);
      player->HasWritten(thread_, number_, copy);
    }
    return;
  }
  if (!pipes_made || !size || size > kMostHeld)
    return;
  const u64 end = NumberOf(fd);
  errno = error;
  SpinMutexLock lock(&mutex);
  Pipe *pipe = Find(end, &Pipe::writes);
  if (!pipe)
    return;
  if (pipe->held + size > kMostHeld) {
    Forget(*pipe);
    return;
  }
  auto *write = static_cast<Write *>(Alloc(sizeof(Write) + size));
  *write = {nullptr, thread_, number_, size, 0, 0};
  Gather(write->Data(), parts, count);
  (pipe->last ? pipe->last->next : pipe->first) = write;
  pipe->last = write;
  pipe->held += size;
  pipe_ = end;
}

// What it did not write is not to be read. It may have been read already.
void PipeWrite::Ended(s64 result) const {
  if (!pipe_)
    return;
  SpinMutexLock lock(&mutex);
  Pipe *pipe = Find(pipe_, &Pipe::writes);
  for (Write **link = pipe ? &pipe->first : nullptr; link && *link; link = &(*link)->next) {
    Write *write = *link;
    if (write->thread != thread_ || write->number != number_)
      continue;
    const uptr written = Max(result < 0 ? 0 : uptr(result), write->read);
    pipe->held -= write->size - Min(written, write->size);
    write->size = Min(written, write->size);
    if (write->read == write->size)
      FreeWrite(*pipe, link);
    return;
  }
}

bool WrittenByProgram(int fd, const u8 *data, uptr size, Bytes &references) {
  if (!pipes_made || !size)
    return false;
  const u64 end = NumberOf(fd);
  SpinMutexLock lock(&mutex);
  Pipe *pipe = Find(end, &Pipe::reads);
  if (!pipe)
    return false;
  uptr equal = 0;
  const bool found = Search(*pipe, data, size, references, &equal);
  for (Write **link = &pipe->first; *link && equal;) {
    Write *write = *link;
    write->read += found ? write->found : 0;
    equal -= write->found;
    write->found = 0;
    if (write->read == write->size)
      FreeWrite(*pipe, link);
    else
      link = &write->next;
  }
  if (!found)
    references.Clear();
  return found;
}

//===-- In a replay -------------------------------------------------------===//

bool NextReference(ByteReader &reader, WriteReference &reference) {
  if (reader.AtEnd())
    return false;
  reference.thread = ThreadId(reader.Number(~u32(0)));
  reference.number = reader.Number();
  reference.offset = uptr(reader.Number());
  reference.size = uptr(reader.Number());
  return reader.Ok();
}

void ReadReferences(ByteSpan references, u8 *data, uptr size) {
  constexpr u64 kPatience = 10'000'000'000;
  ByteReader reader(references.data, references.size);
  for (WriteReference each; NextReference(reader, each); data += each.size, size -= each.size) {
    if (each.size > size)
      break;
    // The writer is past the operation before its call, and may not have come to it.
    for (const u64 limit = MonotonicNanoTime() + kPatience; !player->TakeWritten(each, data);) {
      if (MonotonicNanoTime() > limit)
        Desynchronised("%zu bytes come from write %llu of thread T%u, but it has not written them",
                       each.size, each.number, each.thread);
      internal_sched_yield();
    }
  }
  if (size)
    Desynchronised("a read brings %zu bytes less than the program expects", size);
}

//===-- The player's part -------------------------------------------------===//

// Of the thread, in the order of their numbers.
Player::KeptWrite *Player::FindWrite(ThreadId thread, u64 number) {
  if (thread >= scripts_.Size() || !scripts_[thread])
    return nullptr;
  auto &writes = scripts_[thread]->writes;
  uptr from = 0, to = writes.Size();
  while (from < to) {
    const uptr middle = (from + to) / 2;
    if (writes[middle].number < number)
      from = middle + 1;
    else
      to = middle;
  }
  return from < writes.Size() && writes[from].number == number ? &writes[from] : nullptr;
}

// While the demo is read.
void Player::ExpectWrite(const WriteReference &reference) {
  Script(reference.thread)->writes.Push({reference.number, reference.size, 0, nullptr});
}

// A demo need not name them in their order, and may name one several times.
void Player::SortWrites() {
  for (uptr i = 0; i < scripts_.Size(); i++) {
    if (!scripts_[i] || scripts_[i]->writes.Empty())
      continue;
    auto &writes = scripts_[i]->writes;
    Sort(&writes[0], writes.Size(),
         [](const KeptWrite &a, const KeptWrite &b) { return a.number < b.number; });
    uptr kept = 0;
    for (uptr j = 1; j < writes.Size(); j++) {
      if (writes[j].number == writes[kept].number)
        writes[kept].to_read += writes[j].to_read;
      else
        writes[++kept] = writes[j];
    }
    writes.Truncate(kept + 1);
  }
}

u8 *Player::RoomForWrite(ThreadId thread, u64 number, uptr size) {
  SpinMutexLock lock(&writes_mutex_);
  KeptWrite *write = FindWrite(thread, number);
  if (!write)
    return nullptr;
  write->size = size;
  return static_cast<u8 *>(RuntimeMemory::Alloc(size + 1));
}

void Player::HasWritten(ThreadId thread, u64 number, u8 *bytes) {
  SpinMutexLock lock(&writes_mutex_);
  FindWrite(thread, number)->bytes = bytes;
}

bool Player::TakeWritten(const WriteReference &reference, u8 *to) {
  SpinMutexLock lock(&writes_mutex_);
  KeptWrite *write = FindWrite(reference.thread, reference.number);
  if (!write || !write->bytes)
    return false;
  if (reference.offset > write->size || reference.size > write->size - reference.offset)
    Desynchronised("write %llu of thread T%u has %zu bytes or more, but it has %zu",
                   reference.number, reference.thread, reference.offset + reference.size,
                   write->size);
  internal_memcpy(to, write->bytes + reference.offset, reference.size);
  write->to_read -= Min(reference.size, write->to_read);
  if (!write->to_read) {
    RuntimeMemory::Free(write->bytes, write->size);
    write->bytes = nullptr;
  }
  return true;
}

} // namespace __heddle
