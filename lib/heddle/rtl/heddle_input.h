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

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_demo.h"

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
// Whether the path names something of that kind.
bool IsInputPath(int directory, const char *path);

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
    if (message->msg_control)
      way().Bytes(message->msg_control, message->msg_controllen);
    Value(&message->msg_flags);
  }

private:
  Way &way() { return static_cast<Way &>(*this); }
};

class InputRecorder : public InputParts<InputRecorder> {
public:
  InputRecorder(ControlledThread *thread, InputCall call, s64 result, int error);
  ~InputRecorder();
  void Bytes(const void *data, uptr size);
  void Descriptor(int) {}
  void Written(int, const void *, uptr) {}

private:
  ControlledThread *thread_;
  InputCall call_;
  s64 result_;
  int error_;
  Growable<u8, RuntimeMemory> bytes_;
};

class InputPlayer : public InputParts<InputPlayer> {
public:
  InputPlayer(ControlledThread *thread, InputCall call);
  ~InputPlayer();
  bool Known() const { return known_; }
  // It should be.
  void Missing();
  s64 result() const { return result_; }
  int error() const { return error_; }
  void Bytes(void *data, uptr size);
  // A descriptor of this number exists from now on.
  void Descriptor(int fd);
  // So much has been written there.
  void Written(int fd, const void *data, uptr size);

private:
  ControlledThread *thread_;
  InputCall call_;
  bool known_;
  s64 result_ = 0;
  int error_ = 0;
  const u8 *next_ = nullptr, *end_ = nullptr;
};

// Whether the thread was away from the schedule in the call that it is about to make. In a
// replay.
bool NextCallWaits();

// The thread, if its calls are written down or played.
ControlledThread *ThreadWithInput();

template <class Result, class Counts, class Real, class Parts>
Result Through(InputCall call, Counts counts, Real real, Parts parts) {
  ControlledThread *thread = ThreadWithInput();
  if (!thread)
    return real();
  if (Playing()) {
    {
      InCall in_call(thread);
      RaiseInCall(thread);
    }
    InputPlayer player(thread, call);
    if (!player.Known()) {
      if (counts())
        player.Missing();
      return real();
    }
    parts(player, Result(player.result()));
    errno = player.error();
    return Result(player.result());
  }
  const bool brings = counts();
  const Result result = [&] {
    InCall in_call(thread);
    return real();
  }();
  if (!brings) {
    thread->inputs++;
    return result;
  }
  const int error = errno;
  {
    InputRecorder recorder(thread, call, s64(result), error);
    parts(recorder, result);
  }
  errno = error;
  return result;
}

// Replaces the real functions, if there is a demo.
void InstallInputs();

} // namespace __heddle

#endif // HEDDLE_RTL_INPUT_H
