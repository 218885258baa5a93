//===-- heddle_demo_recorder.cpp - A run is written down ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_demo_impl.h"
#include "heddle/rtl/heddle_own_files.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

using namespace __sanitizer;

namespace __heddle {

Recorder *recorder;

//===-- Files -------------------------------------------------------------===//

bool FileSink::Open(const char *directory, DemoStream stream) {
  char path[600];
  internal_snprintf(path, sizeof(path), "%s/%s", directory, NameOf(stream));
  // What comes into a program is nobody else's, and a link may lead anywhere.
  uptr file = internal_open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (internal_iserror(file, &error_))
    return false;
  file_ = MoveOutOfTheWay(int(file));
  return true;
}

void FileSink::Close() {
  if (file_ >= 0)
    CloseOwnDescriptor(file_);
  file_ = -1;
}

bool FileSink::Write(const void *bytes, uptr size) {
  const int error = WriteOwnFile(file_, bytes, size);
  if (error)
    error_ = error;
  return !error;
}

void FileSink::Remember() { remembered_ = internal_lseek(file_, 0, SEEK_CUR); }

void FileSink::Return() {
  if (internal_iserror(remembered_))
    return;
  internal_ftruncate(file_, remembered_);
  internal_lseek(file_, remembered_, SEEK_SET);
}

//===-- From start to end -------------------------------------------------===//

// In words where a recording may well come to it.
static const char *Reason(int error) {
  switch (error) {
  case ENOSPC:
    return "the disk is full";
  case EDQUOT:
    return "the quota is used up";
  case EFBIG:
    return "the file would be too large";
  case EACCES:
  case EROFS:
    return "it is not allowed";
  case ELOOP:
    return "a file in it is a symbolic link";
  default:
    return "the system refuses it";
  }
}

void Recorder::Refuse(const Failure &failure) {
  Printf("ERROR: ThreadSanitizer: record_demo: cannot %s %s: %s (errno %d). Name a directory that "
         "can be written to.\n",
         failure.what, directory_, Reason(failure.error), failure.error);
  Die();
}

// What `heddle show` would show is of the recording that was here before.
static void RemoveOldExecution(const char *directory) {
  char path[kMaxPathLength];
  if (uptr(internal_snprintf(path, sizeof(path), "%s/EXECUTION", directory)) < sizeof(path))
    internal_unlink(path);
}

Recorder::Failure Recorder::OpenFiles(const char *directory) {
  internal_strncpy(directory_, directory, sizeof(directory_) - 1);
  int error;
  if (mkdir(directory_, 0700) && (error = errno) != EEXIST)
    return {"create", error};
  for (u32 stream = 0; stream < kDemoStreams; stream++)
    if (!files_[stream].Open(directory_, DemoStream(stream)))
      return {"write to", files_[stream].error()};
  RemoveOldExecution(directory_);
  u64 id = 0;
  if (!GetRandom(&id, sizeof(id), /*blocking=*/false))
    id = NanoTime() ^ internal_getpid();
  id = id ? id : 1;
  const StreamOf writers[] = {{DemoStream::kMeta, &meta_},       {DemoStream::kChoice, &choice_},
                              {DemoStream::kQueue, &queue_},     {DemoStream::kSignal, &signal_},
                              {DemoStream::kSyscall, &syscall_}, {DemoStream::kAsync, &async_}};
  for (const StreamOf &each : writers)
    if (!each.writer->Start(files_[u32(each.stream)], each.stream, id))
      return {"write to", files_[u32(each.stream)].error()};
  flushed_ = MonotonicNanoTime();
  open_ = true;
  return {nullptr, 0};
}

void Recorder::Open(const char *directory) {
  const Failure failure = OpenFiles(directory);
  if (failure.what)
    Refuse(failure);
}

bool Recorder::TryOpen(const char *directory) {
  const Failure failure = OpenFiles(directory);
  if (!failure.what)
    return true;
  Printf("WARNING: ThreadSanitizer: the child %d is not recorded: cannot %s %s: %s (errno %d).\n",
         int(internal_getpid()), failure.what, directory_, Reason(failure.error), failure.error);
  Abandon();
  return false;
}

void Recorder::Begin() {
  SpinMutexLock lock(&mutex_);
  if (!meta_.Flush(0, /*last=*/true))
    Refuse({"write to", files_[u32(DemoStream::kMeta)].error()});
  // All that there is to choose follows from the rest.
  if (!choice_.Flush(0, /*last=*/true))
    Refuse({"write to", files_[u32(DemoStream::kChoice)].error()});
}

void Recorder::Tick(u64 tick) {
  atomic_store(&until_, tick + 1, memory_order_release);
  if (UNLIKELY(atomic_load_relaxed(&full_)))
    Flush(false);
  else if (UNLIKELY(tick % kLookAtClock == 0))
    Idle();
}

void Recorder::Idle() {
  SpinMutexLock lock(&mutex_);
  // Of a program that waits nothing is new.
  if (MonotonicNanoTime() - flushed_ > kFlushAfter && (IsNew() || PendingSize()))
    FlushLocked(false);
}

void Recorder::Flush(bool last) {
  SpinMutexLock lock(&mutex_);
  FlushLocked(last);
}

uptr Recorder::PendingSize() const {
  const FrameWriter<RuntimeMemory> *writers[] = {&syscall_, &async_, &queue_, &signal_};
  uptr most = 0;
  for (const auto *writer : writers)
    most = Max(most, writer->PendingSize());
  return most;
}

bool Recorder::IsNew() const {
  return atomic_load(&until_, memory_order_acquire) != flushed_until_;
}

void Recorder::NoteSize() {
  const bool full = PendingSize() >= kGoodContent;
  if (full)
    atomic_store_relaxed(&full_, 1);
}

// Frames of this flush that have been written are of no use without the others.
void Recorder::SayWhereItEnds(DemoStream stream) {
  const int error = files_[u32(stream)].error();
  Printf("WARNING: ThreadSanitizer: the recording ends at tick %llu: cannot write %s/%s: %s (errno "
         "%d). ",
         flushed_until_ ? flushed_until_ - 1 : 0, directory_, NameOf(stream), Reason(error), error);
  // That the first call had begun is all that a demo up to tick 0 says.
  if (flushed_until_ > 1)
    Printf("The demo can be played up to there.\n");
  else
    Printf("There is nothing to play in the demo. Name a directory with more room.\n");
}

void Recorder::FlushLocked(bool last) {
  atomic_store_relaxed(&full_, 0);
  if (!open_)
    return;
  // What came before that tick has been appended before it was set.
  const u64 until = atomic_load(&until_, memory_order_acquire);
  flushed_ = MonotonicNanoTime();
  const StreamOf writers[] = {{DemoStream::kSyscall, &syscall_},
                              {DemoStream::kSignal, &signal_},
                              {DemoStream::kQueue, &queue_},
                              {DemoStream::kAsync, &async_}};
  // A frame each, also of nothing: that nothing is missing must be known, too.
  for (const StreamOf &each : writers) {
    if (each.writer->Flush(until, last))
      continue;
    open_ = false;
    return SayWhereItEnds(each.stream);
  }
  flushed_until_ = until;
  open_ = !last;
}

// The last frames have nothing in them, so that none of it is lost if they are taken back.
void Recorder::End() {
  SpinMutexLock lock(&mutex_);
  FlushLocked(/*last=*/false);
  if (!open_)
    return;
  for (FileSink &file : files_)
    file.Remember();
  FlushLocked(/*last=*/true);
}

void Recorder::GoOn() {
  SpinMutexLock lock(&mutex_);
  const StreamOf ended[] = {{DemoStream::kSyscall, &syscall_},
                            {DemoStream::kSignal, &signal_},
                            {DemoStream::kQueue, &queue_},
                            {DemoStream::kAsync, &async_}};
  for (const StreamOf &each : ended)
    if (!each.writer->Good())
      return; // it has ended for another reason
  for (const StreamOf &each : ended) {
    files_[u32(each.stream)].Return();
    each.writer->GoOn();
  }
  open_ = true;
}

// In the child of a fork, which has one thread: who had the lock is not here to give it back.
void Recorder::Abandon() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
  open_ = false;
  for (FileSink &file : files_)
    file.Close();
}

//===-- Entries -----------------------------------------------------------===//

void Recorder::Async(const AsyncEvent &event) {
  SpinMutexLock lock(&mutex_);
  async_encoder_.Append(async_.Pending(), event);
  NoteSize();
}

void Recorder::Signal(const SignalEvent &event) {
  SpinMutexLock lock(&mutex_);
  signal_encoder_.Append(signal_.Pending(), event);
  NoteSize();
}

void Recorder::Came(u32 options, u32 answer) {
  SpinMutexLock lock(&mutex_);
  queue_encoder_.Append(queue_.Pending(), options);
  queue_encoder_.Append(queue_.Pending(), answer);
  NoteSize();
}

void Recorder::Call(const SyscallEvent &event, ByteSpan bytes, ByteSpan references,
                    const CallOrder &order) {
  const bool ordered = order.begin || order.end;
  SpinMutexLock lock(&mutex_);
  syscall_encoder_.Begin(syscall_.Pending(), event);
  if (bytes.size || references.size || ordered)
    syscall_encoder_.AppendPart(syscall_.Pending(), bytes.data, bytes.size);
  if (references.size || ordered)
    syscall_encoder_.AppendPart(syscall_.Pending(), references.data, references.size);
  if (UNLIKELY(ordered)) {
    Growable<u8, RuntimeMemory> numbers;
    PushNumber(numbers, order.begin);
    PushNumber(numbers, order.end);
    syscall_encoder_.AppendPart(syscall_.Pending(), numbers.Data(), numbers.Size());
  }
  NoteSize();
}

} // namespace __heddle
