//===-- heddle_group.h - Processes under one schedule ---------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With processes=together a process and all that it forks are a group, with one schedule:
// docs/processes.md. What they have in common is in one shared mapping, which each has at
// the same address since it is made before the first fork. This file has its memory and
// its members; heddle_shared_memory.h says what objects are called in it.
//
// Members are changed with the turn, but for what is atomic, and never move.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_GROUP_H
#define HEDDLE_RTL_GROUP_H

#include "heddle/choice/types.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_internal_defs.h"
#include "tsan_mman.h"

namespace __heddle {

extern bool processes_together;

void *AllocInGroup(uptr bytes);
void FreeInGroup(void *memory, uptr bytes);

// Memory of what belongs to the schedule.
struct ScheduleMemory {
  static void *Alloc(uptr bytes) {
    return UNLIKELY(processes_together) ? AllocInGroup(bytes) : __tsan::Alloc(bytes);
  }
  static void Free(void *memory, uptr bytes) {
    UNLIKELY(processes_together) ? FreeInGroup(memory, bytes) : __tsan::Free(memory);
  }
};

using MemberId = u32; // in the order of forks; 0 is the first process
constexpr MemberId kNoMember = ~0u;

struct GroupMember {
  MemberId parent;
  u32 live;                               // threads that have not ended
  bool gone;                              // it has ended, or is another program now
  bool outside;                           // it is another program now
  bool waited_for;                        // its parent has been told of its end
  bool starts_others;                     // it may have children that are not members
  __sanitizer::atomic_uint32_t process;   // the system's number; 0: it has yet to begin
  __sanitizer::atomic_uint8_t not_forked; // it never will
  __sanitizer::atomic_uint8_t has_timers; // their signals may come
};

// Before anything of the schedule is made.
void StartGroup();
// This process. 0 if there is no group.
extern MemberId this_member;

MemberId AddMember(MemberId parent);
u32 Members();
GroupMember &MemberAt(MemberId id);
inline GroupMember &ThisMember() { return MemberAt(this_member); }
// The member that the system calls so, if it has not gone; or kNoMember.
MemberId FindMember(int process);
// It has ended in the system, though perhaps nobody has waited for it.
bool IsDead(const GroupMember &member);
// Meanwhile nobody is within AllocInGroup or FreeInGroup.
void LockGroupMemory();
void UnlockGroupMemory();

} // namespace __heddle

#endif // HEDDLE_RTL_GROUP_H
