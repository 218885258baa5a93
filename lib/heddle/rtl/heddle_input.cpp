//===-- heddle_input.cpp - Calls that bring input -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_input.h"

#include "heddle/rtl/heddle_demo_impl.h"
#include "heddle/rtl/heddle_inputs.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_recorded_children.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_flags.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;

extern "C" void __interceptor_pthread_testcancel();

namespace __heddle {
namespace {

// In the number of a call: the thread was away from the schedule; it was cancelled there.
constexpr InputCall kAway = 0x8000, kCancelled = 0x4000;
constexpr InputCall CallOf(InputCall number) { return number & ~(kAway | kCancelled); }

bool IsInputMode(u32 mode) { return !S_ISREG(mode) && !S_ISDIR(mode) && !S_ISBLK(mode); }

// What the kernel makes up when it is read. Such file systems have no device, as others have not.
bool IsMadeUp(const struct stat &status, int fd, const char *path) {
  struct statfs system;
  return S_ISREG(status.st_mode) && !major(status.st_dev) &&
         !(path ? KernelCall(SYS_statfs, path, &system) : KernelCall(SYS_fstatfs, fd, &system)) &&
         (system.f_type == PROC_SUPER_MAGIC || system.f_type == SYSFS_MAGIC);
}

// Standard input as the replay was started with it, and what the demo says of the recording's.
struct {
  bool brings;
  struct stat status;
} standard_input;

bool IsTheSameFile(const struct stat &one, const struct stat &other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

} // namespace

bool IsInput(int fd) {
  struct stat status;
  if (KernelCall(SYS_fstat, fd, &status))
    return false; // the same error comes again
  if (Playing()) {
    // The replay's own are not to be asked about.
    if (fd == 1 || fd == 2)
      return false;
    if (fd == 0 && IsTheSameFile(status, standard_input.status))
      return standard_input.brings;
  }
  return IsInputMode(status.st_mode) || flags()->record_files || IsMadeUp(status, fd, nullptr);
}

void PlayStandardInput(bool brings) {
  standard_input.brings = brings;
  KernelCall(SYS_fstat, 0, &standard_input.status);
}

// Relative to another directory than the current one there is none that is made up.
bool IsInputPath(int directory, const char *path) {
  struct stat status;
  return path && !KernelCall(SYS_newfstatat, directory, path, &status, 0) &&
         (IsInputMode(status.st_mode) || IsMadeUp(status, -1, path));
}

// By its name: to look at it is to follow it.
bool IsMadeUpLink(const char *path) {
  return path && (!internal_strncmp(path, "/proc/", 6) || !internal_strncmp(path, "/sys/", 5));
}

ControlledThread *ThreadWithInput() {
  if (demo_mode == DemoMode::kOff)
    return nullptr;
  ThreadState *thr = cur_thread();
  ControlledThread *thread = thr->heddle.Controlled();
  // Not what the runtime does for its own purposes, such as to find symbols.
  return thread && !thread->in_input && !thr->in_symbolizer ? thread : nullptr;
}

//===-- Recording ---------------------------------------------------------===//

InputRecorder::InputRecorder(ControlledThread *thread, InputCall call, s64 result, int error,
                             u64 began)
    : thread_(thread), call_(call), result_(result), error_(result < 0 ? error : 0), began_(began) {
  thread->in_input = true;
}

InputRecorder::~InputRecorder() {
  SyscallEvent event;
  event.tick = thread_->inputs++;
  event.thread = thread_->id;
  event.call = thread_->inside ? call_ : call_ | kAway;
  event.result = result_;
  event.error = error_;
  const bool ends = !began_ || WhomItTells(CallOf(call_)) == Tells::kBoth;
  recorder->Call(event, {bytes_.Data(), bytes_.Size()}, {references_.Data(), references_.Size()},
                 {began_, ends ? TakeOrder() : 0});
  thread_->in_input = false;
}

void InputRecorder::Bytes(const void *data, uptr size) {
  if (size)
    bytes_.Append(static_cast<const u8 *>(data), size);
}

void InputRecorder::Read(int fd, const void *data, uptr size) {
  if (!WrittenByProgram(fd, static_cast<const u8 *>(data), size, references_))
    Bytes(data, size);
}

//===-- In a replay -------------------------------------------------------===//

InputPlayer::InputPlayer(ControlledThread *thread, InputCall call) : thread_(thread), call_(call) {
  const PlayedCall *played = player->NextCall(thread->id);
  if (played && played->number < thread->inputs)
    Desynchronised("thread T%u calls %s, but it is past that", thread->id,
                   NameOfInput(CallOf(played->call)));
  known_ = played && played->number == thread->inputs;
  thread->inputs++;
  if (!known_)
    return;
  if (CallOf(played->call) != call)
    Desynchronised("thread T%u calls %s, but it calls %s", thread->id,
                   NameOfInput(CallOf(played->call)), NameOfInput(call));
  cancelled_ = played->call & kCancelled;
  result_ = played->result;
  error_ = played->error ? played->error : errno;
  next_ = played->bytes.data;
  end_ = next_ + played->bytes.size;
  references_ = played->references;
  order_ = played->order;
  AwaitOrder(order_);
}

void AwaitOrderOfNext(ControlledThread *thread) {
  const PlayedCall *played = player->NextCall(thread->id);
  if (played && played->number == thread->inputs)
    AwaitOrder(played->order);
}

void InputPlayer::Missing() {
  if (!player->Complete())
    return; // it may have been about to be written
  const PlayedCall *played = player->NextCall(thread_->id);
  if (played)
    Desynchronised("the next call of thread T%u is number %llu, %s, but this is number %llu, %s",
                   thread_->id, played->number, NameOfInput(CallOf(played->call)),
                   thread_->inputs - 1, NameOfInput(call_));
  if (thread_->inside)
    Desynchronised("thread T%u makes no call any more, but it calls %s", thread_->id,
                   NameOfInput(call_));
  // It was still in the call when the recording ended.
  for (;;)
    internal_usleep(1000000);
}

// Whoever has cancelled the thread did so before the tick at which it came back.
void InputPlayer::Cancel() {
  player->PopCall(thread_->id);
  PassOrder(order_);
  if (thread_->inside || !thread_->calls_away)
    Desynchronised("thread T%u is cancelled in its call of %s, but it does not wait there",
                   thread_->id, NameOfInput(call_));
  control->ComeBack(thread_);
  thread_->thr->ignore_interceptors++;
  __interceptor_pthread_testcancel();
  Desynchronised("thread T%u is cancelled in its call of %s, but nobody has cancelled it",
                 thread_->id, NameOfInput(call_));
}

void CallIsCancelled(ControlledThread *thread) {
  // A handler that has jumped out of a call has left in_call behind, but not the other.
  const bool in_call = thread->in_call && atomic_load_relaxed(&thread->thr->in_blocking_func);
  thread->in_call = thread->in_input = false;
  // Also of calls that a replay makes again: how far they get would depend on time.
  if (in_call && Recording())
    InputRecorder(thread, thread->call | kCancelled, -1, ECANCELED);
}

bool NextCallWaits(bool brings) {
  ControlledThread *thread = ThreadWithInput();
  if (!thread)
    return false;
  // Then, and only then, a signal may have been handled in it.
  if (NextSignalIs(thread->id, SignalPlace::kCall, thread->inputs))
    return true;
  const PlayedCall *played = player->NextCall(thread->id);
  // It is the last one, and does not end: what has ended before the end of a demo is in it, also if
  // the demo was cut off.
  if (!played)
    return brings;
  return played->number == thread->inputs && (played->call & kAway);
}

bool NextCallIs(InputCall call) {
  ControlledThread *thread = ThreadWithInput();
  const PlayedCall *played = thread ? player->NextCall(thread->id) : nullptr;
  return played && played->number == thread->inputs && CallOf(played->call) == call;
}

InputPlayer::~InputPlayer() {
  if (!known_)
    return;
  if (next_ != end_)
    Desynchronised("%s brings %zu bytes more than the program has room for", NameOfInput(call_),
                   uptr(end_ - next_));
  player->PopCall(thread_->id);
  PassOrder(order_);
}

void InputPlayer::Bytes(void *data, uptr size) {
  if (size > uptr(end_ - next_))
    Desynchronised("%s brings %zu bytes less than the program expects", NameOfInput(call_),
                   size - uptr(end_ - next_));
  if (size)
    internal_memcpy(data, next_, size);
  next_ += size;
}

void InputPlayer::All(__heddle::Bytes &bytes) {
  bytes.Append(next_, uptr(end_ - next_));
  next_ = end_;
}

void InputPlayer::Read(int, void *data, uptr size) {
  if (references_.size)
    ReadReferences(references_, static_cast<u8 *>(data), size);
  else
    Bytes(data, size);
}

namespace {

int OpenNull() { return int(KernelCall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC)); }

} // namespace

void CreatePlaceholder(int fd) {
  const int null = OpenNull();
  if (null == fd || null < 0)
    return;
  if (KernelCall(SYS_fcntl, fd, F_GETFD) >= 0)
    Desynchronised("descriptor %d is created, but it is in use", fd);
  KernelCall(SYS_dup3, null, fd, O_CLOEXEC);
  KernelCall(SYS_close, null);
}

void InputPlayer::Descriptor(int fd) {
  if (fd < 0)
    return;
  if (!thread_->calls_away || thread_->inside ||
      thread_->created_count == ARRAY_SIZE(thread_->created)) {
    DescriptorLock lock;
    return CreatePlaceholder(fd);
  }
  thread_->created[thread_->created_count++] = fd;
}

void CreateDescriptors(ControlledThread *thread) {
  const int error = errno;
  DescriptorLock lock;
  for (u32 i = 0; i < thread->created_count; i++)
    CreatePlaceholder(thread->created[i]);
  thread->created_count = 0;
  errno = error;
}

// Which number it got depends on calls of threads that were away: accept has one for what it will
// return from when it begins to wait.
void InputPlayer::Renumber(int fd, int as) {
  if (fd == as)
    return;
  if (fd < 0 || KernelCall(SYS_fcntl, as, F_GETFD) >= 0)
    CheckNumber(fd, as);
  const bool closes = KernelCall(SYS_fcntl, fd, F_GETFD) & FD_CLOEXEC;
  KernelCall(SYS_dup3, fd, as, closes ? O_CLOEXEC : 0);
  KernelCall(SYS_close, fd);
}

void InputPlayer::CheckNumber(int fd, int expected) {
  if (fd < 0)
    Desynchronised("%s gives descriptor %d, but fails now (errno %d)", NameOfInput(call_), expected,
                   errno);
  if (fd != expected)
    Desynchronised("%s gives descriptor %d, but that is in use", NameOfInput(call_), expected);
}

InputPlayer::LowestNumber::LowestNumber(InputCall call, int fd) {
  const int error = errno;
  int null;
  while ((null = OpenNull()) >= 0 && null < fd)
    below_.Push(null);
  if (null >= 0)
    KernelCall(SYS_close, null);
  if (null != fd)
    Desynchronised("%s gives descriptor %d, but that is in use", NameOfInput(call), fd);
  errno = error;
}

InputPlayer::LowestNumber::~LowestNumber() {
  const int error = errno;
  for (uptr i = 0; i < below_.Size(); i++)
    KernelCall(SYS_close, below_[i]);
  errno = error;
}

// It may be there from the recording.
void InputPlayer::CreateDirectory(int result, const char *name) {
  if (result >= 0)
    KernelCall(SYS_mkdirat, AT_FDCWD, name, 0700);
}

//===-- Processes ---------------------------------------------------------===//

void InputPlayer::Child(int process, int real) {
  if (process > 0 && real > 0)
    KnowProcess(process, real, HasChildsDemo(thread_));
}

void InputPlayer::Reaped(int process, const int *status) {
  const int child = FindProcess(process);
  if (!child || (status && (WIFSTOPPED(*status) || WIFCONTINUED(*status))))
    return;
  int real_status = 0;
  while (KernelCall(SYS_wait4, child, &real_status, 0, nullptr) < 0 && errno == EINTR)
    ;
  // One that was killed ends as its demo does.
  if (status && PlaysDemo(process) && WIFEXITED(*status) && *status != real_status)
    Desynchronised("child %d exits with %d, but it has %s %d", process, WEXITSTATUS(*status),
                   WIFEXITED(real_status) ? "exited with" : "been ended by signal",
                   WIFEXITED(real_status) ? WEXITSTATUS(real_status) : WTERMSIG(real_status));
}

// Only to a child: what else had that number is not there, or it is another. And only if it has no
// demo that says what it does then.
void InputPlayer::Signalled(int process, int signal) {
  const int child = FindProcess(process);
  if (child && !PlaysDemo(process))
    KernelCall(SYS_kill, child, signal);
}

//===-- Written -----------------------------------------------------------===//

// Standard output and error are the user's, also in a replay.
void InputPlayer::Written(int fd, const void *data, uptr size) {
  const char *next = static_cast<const char *>(data);
  while (size && (fd == 1 || fd == 2)) {
    const uptr written = internal_write(fd, next, size);
    if (internal_iserror(written))
      return;
    next += written;
    size -= written;
  }
}

} // namespace __heddle
