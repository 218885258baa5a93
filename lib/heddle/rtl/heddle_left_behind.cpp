//===-- heddle_left_behind.cpp - What executions leave behind -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_left_behind.h"

#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

using namespace __sanitizer;

namespace __heddle {
namespace {

// As many rounds as it takes until processes that start others are gone. One that starts them
// faster than they can be ended is left alone sooner or later.
constexpr u32 kRounds = 100;

// Calls `each` with the process of every child, if the system lists them. The server has one
// thread.
template <class Each> void ForEachChild(Each each) {
  char path[64], text[4096];
  internal_snprintf(path, sizeof(path), "/proc/self/task/%d/children", int(internal_getpid()));
  const fd_t file = OpenFile(path, RdOnly);
  if (file == kInvalidFd)
    return;
  uptr size = 0;
  ReadFromFile(file, text, sizeof(text) - 1, &size);
  CloseFile(file);
  text[size] = '\0';
  for (const char *at = text; *at;) {
    const char *end = internal_strchrnul(at, ' ');
    if (!*end)
      break; // each number is followed by a blank, unless it is cut off
    each(int(internal_atoll(at)));
    at = end + 1;
  }
}

} // namespace

bool HasChildren() {
  return !KernelCall(SYS_waitid, P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT, nullptr);
}

void AdoptLeftBehind() { KernelCall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1); }

void LeadGroup() { KernelCall(SYS_setpgid, 0, 0); }

void EndGroup(int execution) { KernelCall(SYS_kill, -execution, SIGKILL); }

void EndLeftBehind() {
  // Most leave nothing, and to list children takes longer than to ask whether there are any.
  for (u32 round = 0; round < kRounds && HasChildren(); round++)
    ForEachChild([](int process) {
      KernelCall(SYS_kill, process, SIGKILL);
      KernelCall(SYS_wait4, process, nullptr, 0, nullptr); // its own children are ours now
    });
}

} // namespace __heddle
