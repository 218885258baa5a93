//===-- heddle_children.cpp - Waiting for members of a group --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_children.h"

#include "heddle/rtl/heddle_cancel.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

constexpr int kAny = -1;

struct Children {
  bool any = false, one_gone = false;
  bool others = false; // that are not in the schedule
};

bool IsChild(const GroupMember &member, int process) {
  return member.parent == this_member && !member.waited_for &&
         (process == kAny || atomic_load_relaxed(&member.process) == u32(process));
}

// Within an operation.
Children LookFor(int process) {
  Children children;
  children.others = process == kAny && ThisMember().starts_others;
  for (MemberId id = 0; id < Members(); id++) {
    const GroupMember &member = MemberAt(id);
    if (!IsChild(member, process) || atomic_load_relaxed(&member.not_forked))
      continue;
    children.any = true;
    children.others |= member.outside;
    children.one_gone |= member.gone && !member.outside;
  }
  return children;
}

// Of those that have left the schedule.
void AwaitEnds(int process) {
  for (MemberId id = 0; id < Members(); id++) {
    const GroupMember &member = MemberAt(id);
    if (!IsChild(member, process) || !member.gone || member.outside)
      continue;
    const u32 child = atomic_load_relaxed(&member.process);
    siginfo_t info;
    while (child && KernelCall(SYS_waitid, P_PID, child, &info, WEXITED | WNOWAIT, nullptr) < 0 &&
           errno == EINTR) {
    }
  }
}

// Members that are about to begin have no number yet.
void AwaitBeginnings() {
  for (MemberId id = 0; id < Members(); id++) {
    const GroupMember &member = MemberAt(id);
    while (member.parent == this_member && !member.gone &&
           !atomic_load(&member.process, memory_order_acquire) &&
           !atomic_load_relaxed(&member.not_forked))
      internal_sched_yield();
  }
}

} // namespace

ChildWait AwaitChild(ThreadState *thr, uptr pc, int process, int options) {
  if ((process <= 0 && process != kAny) || (options & (WUNTRACED | WCONTINUED)))
    return ChildWait::kUnknown;
  AwaitBeginnings();
  for (;;) {
    Outcome outcome;
    {
      VisibleOperation visible(thr, pc, OperationKind::kBlockingCall, nullptr);
      const Children children = LookFor(process);
      if (!visible.controlled() || CancelRequested(thr) || (!children.any && process != kAny))
        return ChildWait::kUnknown;
      if (children.one_gone || (options & WNOHANG) || (!children.any && !children.others))
        break;
      if (children.others)
        return ChildWait::kUnknown;
      visible.Unproductive();
      outcome = visible.Block({WaitKind::kProcess, uptr(this_member) + 1});
    }
    if (outcome == Outcome::kInterrupted && HandleSignals(thr))
      return ChildWait::kInterrupted;
  }
  AwaitEnds(process);
  return ChildWait::kOver;
}

void ChildIsWaitedFor(int process) {
  for (MemberId id = 0; id < Members(); id++)
    if (IsChild(MemberAt(id), process))
      MemberAt(id).waited_for = true;
}

} // namespace __heddle
