//===-- heddle_fork_server.cpp - Many executions from one start -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To start a process costs more than most tests take: the shadow is mapped, libraries
// are loaded, static objects constructed. Here a program goes on to the moment before its
// first thread is created, and each execution is a child that goes on from there. The
// process has one thread then, so a fork takes along all that there is; no lock of
// the runtime is held, and none of its own threads has been started.
//
// An execution is the same as one that was started by itself with the same flags: the
// strategy begins with the first thread (Control::BeforeNewThread). Flags that have had
// a say before cannot be changed in a request. See heddle/server/protocol.h for how
// executions are asked for.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_fork_server.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_control_start.h"
#include "heddle/rtl/heddle_fork_pages.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_left_behind.h"
#include "heddle/rtl/heddle_lock_owners.h"
#include "heddle/rtl/heddle_own_flags.h"
#include "heddle/rtl/heddle_process_ids.h"
#include "heddle/rtl/heddle_processors.h"
#include "heddle/server/protocol.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flag_parser.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_flags.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __tsan {
void RegisterTsanFlags(FlagParser *parser, Flags *f); // tsan_flags.cpp
}

namespace __heddle {

bool fork_server, served;

namespace {

int socket_file = -1;
int server_process; // not its children, if the program itself forks
int servers_parent;
int servers_death_signal; // what the program has asked for (PR_SET_PDEATHSIG); a fork forgets it

struct ExecutionRequest {
  char text[kMaxRequest + 1];
  int output[2];
  bool has_output;
};

bool Say(AnswerKind kind, int process = 0, int status = 0, const rusage &usage = {}) {
  Answer answer = {kServerMagic, kServerVersion, kind, process, status, 0, 0, 0};
  answer.user_us = u64(usage.ru_utime.tv_sec) * 1000000 + u64(usage.ru_utime.tv_usec);
  answer.system_us = u64(usage.ru_stime.tv_sec) * 1000000 + u64(usage.ru_stime.tv_usec);
  return KernelCall(SYS_sendto, socket_file, &answer, sizeof(answer), MSG_NOSIGNAL, nullptr, 0) ==
         sizeof(answer);
}

// False if the client has gone.
bool Receive(ExecutionRequest *request) {
  iovec part = {request->text, kMaxRequest};
  alignas(cmsghdr) char control_bytes[CMSG_SPACE(sizeof(request->output))];
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control_bytes;
  message.msg_controllen = sizeof(control_bytes);
  long size;
  do {
    size = KernelCall(SYS_recvmsg, socket_file, &message, MSG_CMSG_CLOEXEC);
  } while (size < 0 && errno == EINTR);
  if (size <= 0)
    return false;
  request->text[size] = 0;
  request->has_output = false;
  const cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_type == SCM_RIGHTS &&
      header->cmsg_len == CMSG_LEN(sizeof(request->output))) {
    internal_memcpy(request->output, CMSG_DATA(header), sizeof(request->output));
    request->has_output = true;
  }
  return true;
}

void CloseOutput(const ExecutionRequest &request) {
  if (!request.has_output)
    return;
  for (int file : request.output)
    internal_close(file);
}

// Without the handlers of pthread_atfork: to the program nothing has happened.
int Fork() {
  static atomic_uintptr_t real;
  return reinterpret_cast<int (*)()>(FindReal("_Fork", real))();
}

[[noreturn]] void Refuse(const char *flag) {
  Printf("ERROR: ThreadSanitizer: an execution of a fork server cannot change %s; start another "
         "server with it.\n",
         flag);
  Die();
}

// What the request says goes for this execution.
void ChangeFlags(const char *text) {
  Flags before;
  internal_memcpy(&before, flags(), sizeof(before));
  FlagParser parser;
  RegisterTsanFlags(&parser, flags());
  RegisterCommonFlags(&parser);
  parser.ParseString(text);
#define FIXED(flag)                                                                                \
  if (flags()->flag != before.flag)                                                                \
    Refuse(#flag);
#define FIXED_TEXT(flag)                                                                           \
  if (internal_strcmp(flags()->flag, before.flag))                                                 \
    Refuse(#flag);
  FIXED(weak_memory)
  FIXED(store_history)
  FIXED(prune)
  FIXED(prune_window)
  FIXED(exact_happens_before)
  FIXED(release_sequence)
  FIXED(seq_cst)
  FIXED(volatile_order)
  FIXED(force_seq_cst_atomics)
  FIXED(time_slice_ms)
  FIXED(livelock_ticks)
  FIXED(real_sleep)
  FIXED(rdtsc)
  FIXED(one_at_a_time)
  FIXED(openmp)
  FIXED(break_at_tick)
  FIXED_TEXT(schedule_log)
  FIXED_TEXT(schedule_trace)
  FIXED_TEXT(execution_file)
  FIXED_TEXT(record_demo)
  FIXED_TEXT(play_demo)
#undef FIXED
#undef FIXED_TEXT
  if (schedule_controlled != (flags()->schedule != Schedule::kNone))
    Refuse("whether there is a schedule");
}

void BeginExecution(const ExecutionRequest &request) {
  served = true;
  // Who killed the server wants no execution of it.
  KernelCall(SYS_prctl, PR_SET_PDEATHSIG, servers_death_signal ? servers_death_signal : SIGKILL);
  if (int(internal_getppid()) != server_process)
    internal__exit(1);
  LeadGroup();
  ChangeOwner(u32(server_process), u32(internal_getpid()));
  BecomeServer(server_process, servers_parent);
  internal_close(socket_file);
  if (request.has_output)
    for (int i = 0; i < 2; i++)
      KernelCall(SYS_dup2, request.output[i], 1 + i);
  CloseOutput(request);
  ChangeFlags(request.text);
  if (schedule_controlled)
    control->BeginExecution(StrategyOfFlags());
  StartWaitingReport();
}

// The socket, out of the program's way and out of its children's.
int TakeSocket(int file) {
  int type = 0;
  socklen_t size = sizeof(type);
  if (KernelCall(SYS_getsockopt, file, SOL_SOCKET, SO_TYPE, &type, &size) ||
      type != SOCK_SEQPACKET) {
    Printf("ERROR: ThreadSanitizer: fork_server=%d: no socket of type SOCK_SEQPACKET has this "
           "descriptor. heddle hunt makes one.\n",
           file);
    Die();
  }
  return MoveOutOfTheWay(file);
}

// What a fork does not take along cannot be given to an execution: its timers would not run, and
// its children would not be its own. A schedule of several processes would be all executions' in
// common.
bool CanServe() { return !HasChildren() && !TimerRuns() && !processes_together; }

} // namespace

// Of what it does all the time the symbolizer's memory is left, which can be kept for as long as an
// execution lasts.
bool NeedsBackgroundThread() {
  return !served || flags()->report_waiting_after > 0 || flags()->flush_memory_ms > 0 ||
         flags()->memory_limit_mb > 0 || flags()->profile_memory[0] ||
         flags()->force_background_thread;
}

void StartForkServer() {
  if (flags()->fork_server < 0)
    return;
  if (flags()->record_demo[0] || flags()->play_demo[0]) {
    Printf("ERROR: ThreadSanitizer: fork_server does not go with record_demo or play_demo: a demo "
           "begins with its process.\n");
    Die();
  }
  socket_file = TakeSocket(flags()->fork_server);
  HideFromOthers("fork_server=");
  server_process = int(internal_getpid());
  fork_server = true;
}

void ServeExecutions() {
  fork_server = false;
  if (int(internal_getpid()) != server_process)
    return;
  ScopedIgnoreInterceptors ignore;
  if (!CanServe()) {
    internal_close(socket_file); // the client sees that it has gone
    return;
  }
  const int saved_errno = errno;
  servers_parent = int(internal_getppid());
  KernelCall(SYS_prctl, PR_GET_PDEATHSIG, &servers_death_signal);
  PrepareProcessors();
  if (schedule_controlled)
    control->PrepareExecutions();
  GiveBackZeroes();
  AdoptLeftBehind();
  bool served = Say(AnswerKind::kReady);
  ExecutionRequest request;
  while (served && Receive(&request)) {
    const int process = Fork();
    if (process == 0) {
      BeginExecution(request);
      errno = saved_errno;
      return;
    }
    const int error = errno;
    CloseOutput(request);
    if (process < 0) {
      served = Say(AnswerKind::kRefused, 0, error);
      continue;
    }
    served = Say(AnswerKind::kStarted, process);
    while (KernelCall(SYS_waitid, P_PID, process, nullptr, WEXITED | WNOWAIT, nullptr) < 0 &&
           errno == EINTR) {
    }
    EndGroup(process);
    int status = 0;
    rusage usage = {};
    while (KernelCall(SYS_wait4, process, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    EndLeftBehind();
    served = served && Say(AnswerKind::kEnded, process, status, usage);
  }
  internal__exit(0);
}

} // namespace __heddle
