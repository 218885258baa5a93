//===-- heddle_input.h - Calls that bring input ---------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What comes into a program through system calls is written down in a recording, and
// given to it again in a replay. This happens below the interceptors, where they call
// the real function, so that they do in a replay what they always do: the race
// detector sees the same accesses and the same synchronisation.
//
// A call that may bring input has a row in heddle_inputs.cpp, which says when it does,
// and where it puts what it brings:
//
//   INPUT(sptr, recv, (int fd, void *data, uptr size, int flags), (fd, data, size, flags),
//         IsInput(fd), io.Bytes(data, Capped(result, size)))
//
// The last part is executed twice: in a recording with an `io` that copies from there,
// in a replay with one that copies to there.
//
// Each thread counts its calls, all that have a row and whether or not they bring
// anything. An entry has the number of its call: in a replay a call whose number is
// not among the entries is performed.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_INPUT_H
#define HEDDLE_RTL_INPUT_H

#include "heddle/rtl/heddle_arenas.h"
#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_demo.h"
#include "heddle/rtl/heddle_pipes.h"
#include "heddle/rtl/heddle_process_ids.h"
#include "heddle/rtl/heddle_process_order.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace __heddle {

using InputCall = u16;

// Whether what is read from there is not to be found again in a replay, or what is written
// there must not be written again: all but files and directories, or all that is open, if
// record_files.
bool IsInput(int fd);
// In a replay, whether that was so of standard input, which is another now.
void PlayStandardInput(bool brings);
// Whether the path names something of that kind.
bool IsInputPath(int directory, const char *path);
bool IsMadeUpLink(const char *path); // its target is the kernel's to make up

inline uptr Capped(s64 result, uptr most) {
  return result < 0 ? 0 : uptr(result) < most ? uptr(result) : most;
}

// What both ways have in common: everything is bytes in the end.
template <class Way> class InputParts {
public:
  // For those that have just one part, which may be missing.
  template <class T> void Value(T *place) {
    if (place)
      way().Bytes(place, sizeof(*place));
  }
  void Vector(const iovec *parts, uptr count, uptr size) {
    for (uptr i = 0; i < count && size; i++) {
      const uptr of_part = parts[i].iov_len < size ? parts[i].iov_len : size;
      way().Bytes(parts[i].iov_base, of_part);
      size -= of_part;
    }
  }
  // An address and its length, as accept and recvfrom give them. `room` was there before.
  void Address(void *address, u32 *size, u32 room) {
    if (!address || !size)
      return;
    Value(size);
    way().Bytes(address, *size < room ? *size : room);
  }
  void Descriptors(int *pair) {
    for (int i = 0; i < 2; i++) {
      Value(&pair[i]);
      way().Descriptor(pair[i]);
    }
  }
  void WrittenVector(int fd, const iovec *parts, uptr count, uptr size) {
    for (uptr i = 0; i < count && size; i++) {
      const uptr of_part = parts[i].iov_len < size ? parts[i].iov_len : size;
      way().Written(fd, parts[i].iov_base, of_part);
      size -= of_part;
    }
  }
  void Events(pollfd *files, uptr count) {
    for (uptr i = 0; i < count; i++)
      Value(&files[i].revents);
  }
  // A name that a call that succeeded has filled in.
  void Named(int result, char *name) {
    if (result >= 0)
      way().Bytes(name, __sanitizer::internal_strlen(name));
  }
  // A set of descriptors, as select has them.
  void Set(void *set, int count) {
    if (set)
      way().Bytes(set, uptr(count + 63) / 64 * 8);
  }
  void Message(msghdr *message, uptr size) {
    Value(&message->msg_namelen);
    if (message->msg_name)
      way().Bytes(message->msg_name, message->msg_namelen);
    Vector(message->msg_iov, message->msg_iovlen, size);
    Value(&message->msg_controllen);
    if (message->msg_control) {
      way().Bytes(message->msg_control, message->msg_controllen);
      PassedDescriptors(message);
    }
    Value(&message->msg_flags);
  }

private:
  Way &way() { return static_cast<Way &>(*this); }

  // Those that the message has brought.
  void PassedDescriptors(msghdr *message) {
    for (cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
      if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS ||
          part->cmsg_len < CMSG_LEN(0))
        continue;
      const int *files = reinterpret_cast<const int *>(CMSG_DATA(part));
      for (uptr i = 0; i < (part->cmsg_len - CMSG_LEN(0)) / sizeof(int); i++)
        way().Descriptor(files[i]);
    }
  }
};

class InputRecorder : public InputParts<InputRecorder> {
public:
  // `began` is its place among the calls of other processes, if it has one already.
  InputRecorder(ControlledThread *thread, InputCall call, s64 result, int error, u64 began = 0);
  ~InputRecorder();
  void Bytes(const void *data, uptr size);
  // All that the call brings, or all that is left of it.
  void All(const __heddle::Bytes &bytes) { Bytes(bytes.Data(), bytes.Size()); }
  // Bytes that were read from there: they may be the program's own.
  void Read(int fd, const void *data, uptr size);
  void Descriptor(int) {}
  void Pipe(const int *ends) { NewPipe(ends[0], ends[1]); }
  void Pair(const int *ends) {
    NewPipe(ends[0], ends[1]);
    NewPipe(ends[1], ends[0]);
  }
  template <class Open> void Opened(int fd, Open) {
    u8 input = fd >= 0 && IsInput(fd);
    Value(&input);
  }
  template <class Open> void Again(int, Open) {}
  template <class Open> void AgainAt(int, Open) {}
  void CreateDirectory(int, const char *) {}
  void Written(int, const void *, uptr) {}
  void Child(int, int) {}
  void Reaped(int, const int *) {}
  void Signalled(int, int) {}

private:
  ControlledThread *thread_;
  InputCall call_;
  s64 result_;
  int error_;
  u64 began_;
  Growable<u8, RuntimeMemory> bytes_, references_;
};

class InputPlayer : public InputParts<InputPlayer> {
public:
  InputPlayer(ControlledThread *thread, InputCall call);
  ~InputPlayer();
  bool Known() const { return known_; }
  // It should be.
  void Missing();
  // The thread was cancelled in the call: so it is now, when it has come back.
  bool Cancelled() const { return cancelled_; }
  [[noreturn]] void Cancel();
  s64 result() const { return result_; }
  int error() const { return error_; }
  void Bytes(void *data, uptr size);
  void All(__heddle::Bytes &bytes);
  void Read(int fd, void *data, uptr size);
  void Pipe(const int *) {}
  void Pair(const int *) {}
  // A descriptor of this number exists from now on; if the thread is away, when it is back: the
  // number may be in use until then.
  void Descriptor(int fd);
  // The same for what was opened. A file is opened again, by calling `open`.
  template <class Open> void Opened(int fd, Open open) {
    u8 input = 0;
    Value(&input);
    if (fd >= 0)
      input ? Descriptor(fd) : Renumber(open(), fd);
  }
  // The same for what is made again in any case.
  template <class Open> void Again(int fd, Open open) {
    if (fd >= 0)
      Renumber(open(), fd);
  }
  // The same for what cannot be moved to another number.
  template <class Open> void AgainAt(int fd, Open open) {
    if (fd < 0)
      return;
    LowestNumber lowest(call_, fd);
    CheckNumber(open(), fd);
  }
  // If that was the result.
  void CreateDirectory(int result, const char *name);
  // So much has been written there.
  void Written(int fd, const void *data, uptr size);
  // The program knows a child as `process`, which in this run is another number.
  void Child(int process, int real);
  // The child has ended, and is no zombie any more.
  void Reaped(int process, const int *status);
  void Signalled(int process, int signal);

private:
  // Meanwhile this is the number that the kernel gives next.
  class LowestNumber {
  public:
    LowestNumber(InputCall call, int fd);
    ~LowestNumber();

  private:
    Growable<int, RuntimeMemory> below_; // that were free
  };

  void Renumber(int fd, int as);
  void CheckNumber(int fd, int expected);

  ControlledThread *thread_;
  InputCall call_;
  bool known_, cancelled_ = false;
  s64 result_ = 0;
  int error_ = 0;
  CallOrder order_;
  const u8 *next_ = nullptr, *end_ = nullptr;
  ByteSpan references_;
};

// Whether the thread was away from the schedule in the call that it is about to make, in a
// replay. `brings`: whether it would be in the demo if it had ended.
bool NextCallWaits(bool brings);

// In a recording, the call that the thread is in: should it be cancelled there. What libc does to
// unwind it then, up to the handler of CallCancellable, is none of the program's doing.
class CallUnderWay {
public:
  CallUnderWay(ControlledThread *thread, InputCall call) : thread_(thread), call_(thread->call) {
    thread->call = call;
    thread->thr->ignore_interceptors++;
  }
  ~CallUnderWay() {
    thread_->thr->ignore_interceptors--;
    thread_->call = call_;
  }

private:
  ControlledThread *thread_;
  InputCall call_; // in which a signal came, in whose handler this one is made
};
// The thread is about to be unwound, because it has been cancelled in such a call.
void CallIsCancelled(ControlledThread *thread);

// The thread is back, with the turn: what it has created while it was away exists.
void CreateDescriptors(ControlledThread *thread);

// Whether it is this one. In a replay.
bool NextCallIs(InputCall call);

// What a call does to other processes may be known before it ends (a write, a signal), and what it
// has from them when it ends.
enum class Tells : u8 { kMe, kOthers, kBoth };
Tells WhomItTells(InputCall call);
// In a replay: what other processes did before this call has been done.
void AwaitOrderOfNext(ControlledThread *thread);

// In a replay: a descriptor of this number exists from now on, and does no harm.
void CreatePlaceholder(int fd);

// Whether reading or writing may have to wait (heddle_interceptors_blocking.cpp).
bool FileMayWait(int fd);

// From now on stdin is a stream whose reads are calls of ours.
void ReplaceStandardInput();

// The thread, if its calls are written down or played.
ControlledThread *ThreadWithInput();

// A call that was made away from the schedule is over. What it brings to memory, and what the
// interceptor above makes of its result, is there when the thread is back; but not if the call in
// whose handler this one was made has yet to end.
inline void EndCall(ControlledThread *thread, bool in_handler) {
  if (thread->calls_away && !thread->inside && !in_handler)
    control->ComeBack(thread);
}

// As 64 bits, and back. Pointers are for functions by hand.
template <class Result> s64 AsNumber(Result result) { return s64(result); }
template <class Result> Result FromNumber(s64 number) { return Result(number); }
template <> inline s64 AsNumber(void *) { return 0; }
template <> inline void *FromNumber<void *>(s64) { return nullptr; }

template <class Result, class Counts, class Real, class Parts>
Result Through(InputCall call, Counts counts, Real real, Parts parts) {
  ControlledThread *thread = ThreadWithInput();
  if (!thread)
    return real();
  control->EnterCall(thread);
  const bool in_handler = thread->in_call; // of a signal that came in another call
  if (Playing()) {
    {
      InCall in_call(thread);
      RaiseInCall(thread);
    }
    InputPlayer player(thread, call);
    if (!player.Known()) {
      if (counts())
        player.Missing();
      CancelDisabled disabled; // it was not cancelled
      return real();
    }
    const Result result = FromNumber<Result>(player.result());
    if (UNLIKELY(player.Cancelled()))
      player.Cancel();
    EndCall(thread, in_handler);
    parts(player, result);
    errno = player.error();
    return result;
  }
  // A demo may have ended meanwhile, with play_demo_then=continue.
  const bool brings = Recording() && counts();
  const u64 began = brings && WhomItTells(call) != Tells::kMe ? TakeOrder() : 0;
  const Result result = [&] {
    InCall in_call(thread);
    CallUnderWay under_way(thread, call);
    AsyncCancelInCall async(thread);
    return real();
  }();
  if (!brings) {
    thread->inputs++;
    return result;
  }
  const int error = errno;
  {
    InputRecorder recorder(thread, call, AsNumber(result), error, began);
    parts(recorder, result);
  }
  EndCall(thread, in_handler);
  errno = error;
  return result;
}

// What is done in a replay too, though the program is told what the recorded one was. `parts` gets
// the result for the program, and the one of this run.
template <class Result, class Real, class Parts>
Result ThroughBoth(InputCall call, Real real, Parts parts) {
  ControlledThread *thread = ThreadWithInput();
  if (thread && Playing())
    AwaitOrderOfNext(thread);
  const Result real_result = real();
  const int error = errno;
  // A child that is not recorded.
  if (!thread || demo_mode == DemoMode::kOff)
    return real_result;
  if (Recording()) {
    InputRecorder recorder(thread, call, real_result, error);
    parts(recorder, real_result, real_result);
    errno = error;
    return real_result;
  }
  InputPlayer player(thread, call);
  if (!player.Known()) {
    player.Missing();
    return real_result;
  }
  parts(player, Result(player.result()), real_result);
  errno = player.error();
  return Result(player.result());
}

// A call that libc makes many others in. Those do not count, and signals wait. What libc allocates
// there a replay does not, so it must not change the addresses of what the program allocates.
template <class Real> auto Whole(Real real) -> decltype(real()) {
  ControlledThread *thread = ThreadWithInput();
  if (!thread)
    return real();
  __tsan::ScopedIgnoreInterceptors ignore;
  OutsideOfArenas outside;
  thread->in_input = true;
  auto result = real();
  thread->in_input = false;
  return result;
}

// Replaces the real functions, if there is a demo.
void InstallInputs();

} // namespace __heddle

#endif // HEDDLE_RTL_INPUT_H
