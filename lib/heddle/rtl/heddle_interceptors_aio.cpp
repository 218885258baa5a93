//===-- heddle_interceptors_aio.cpp - POSIX asynchronous I/O --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// glibc's aio_read and its like are performed by threads of libc's own, which neither the schedule
// nor a demo can see: when a request is done would be up to the machine. A request may be done as
// soon as it has been made. So under a schedule the calling thread performs those on files, by
// pread and pwrite, whose accesses the race detector knows and whose input a demo has; the
// functions that ask what has become of a request (aio_error, aio_return, aio_suspend, aio_cancel)
// are libc's, and find it done.
//
// Left to libc are requests that may wait for others, on pipes, sockets and devices, since the
// caller may be the one who is waited for; and those that notify somebody of their end.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_not_recorded.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

// All zero, where the program has set nothing, is signal 0.
bool Notifies(const sigevent &event) {
  return event.sigev_notify != SIGEV_NONE &&
         (event.sigev_notify != SIGEV_SIGNAL || event.sigev_signo);
}

// Or of nothing.
bool IsOfFile(const aiocb &request) {
  struct stat status;
  return KernelCall(SYS_fstat, request.aio_fildes, &status) || S_ISREG(status.st_mode);
}

bool IsPerformedAtOnce(const aiocb *request) {
  if (LIKELY(!schedule_controlled) || !request || Notifies(request->aio_sigevent) ||
      !IsOfFile(*request))
    return false;
  return IsControlled(cur_thread_init());
}

template <class Call> int AtOnce(aiocb *request, Call call) {
  errno = 0;
  const sptr result = call();
  request->__return_value = result;
  request->__error_code = result < 0 ? errno : 0;
  return 0;
}

void *DataOf(const aiocb &request) { return const_cast<void *>(request.aio_buf); }

int Read(aiocb *request) {
  return AtOnce(request, [&] {
    return pread(request->aio_fildes, DataOf(*request), request->aio_nbytes, request->aio_offset);
  });
}
int Write(aiocb *request) {
  return AtOnce(request, [&] {
    return pwrite(request->aio_fildes, DataOf(*request), request->aio_nbytes, request->aio_offset);
  });
}
int Synchronise(int operation, aiocb *request) {
  return AtOnce(request, [&] {
    return sptr(operation == O_DSYNC ? fdatasync(request->aio_fildes) : fsync(request->aio_fildes));
  });
}

bool ListIsPerformedAtOnce(aiocb *const list[], int count, const sigevent *event) {
  if (LIKELY(!schedule_controlled) || (event && Notifies(*event)))
    return false;
  for (int i = 0; i < count; i++)
    if (list[i] && list[i]->aio_lio_opcode != LIO_NOP && !IsPerformedAtOnce(list[i]))
      return false;
  return true;
}

int PerformList(aiocb *const list[], int count, int mode) {
  bool failed = false;
  for (int i = 0; i < count; i++) {
    aiocb *request = list[i];
    if (!request || request->aio_lio_opcode == LIO_NOP)
      continue;
    request->aio_lio_opcode == LIO_READ ? Read(request) : Write(request);
    failed |= request->__error_code != 0;
  }
  if (!failed || mode != LIO_WAIT)
    return 0;
  errno = EIO;
  return -1;
}

} // namespace

#define AIO_CALL(name, parameters, arguments, at_once, perform)                                    \
  HEDDLE_NEW_INTERCEPTOR(int, name, parameters, arguments) {                                       \
    if (at_once)                                                                                   \
      return perform;                                                                              \
    NotRecorded(#name);                                                                            \
    return __interceptor_##name arguments;                                                         \
  }

// On 64-bit systems the two of each are the same.
#define AIO_CALLS(suffix)                                                                          \
  AIO_CALL(aio_read##suffix, (aiocb * request), (request), IsPerformedAtOnce(request),             \
           Read(request))                                                                          \
  AIO_CALL(aio_write##suffix, (aiocb * request), (request), IsPerformedAtOnce(request),            \
           Write(request))                                                                         \
  AIO_CALL(aio_fsync##suffix, (int operation, aiocb *request), (operation, request),               \
           IsPerformedAtOnce(request) && (operation == O_SYNC || operation == O_DSYNC),            \
           Synchronise(operation, request))                                                        \
  AIO_CALL(lio_listio##suffix, (int mode, aiocb *const list[], int count, sigevent *event),        \
           (mode, list, count, event), ListIsPerformedAtOnce(list, count, event),                  \
           PerformList(list, count, mode))
AIO_CALLS()
AIO_CALLS(64)
