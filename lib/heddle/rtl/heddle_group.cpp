//===-- heddle_group.cpp - Processes under one schedule -------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The shared memory is cut off a large mapping, of which the system makes only those pages that
// are used. What is given back is kept by sizes, which are powers of two.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_group.h"

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_shared_memory.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

using namespace __sanitizer;

namespace __heddle {

bool processes_together;
MemberId this_member;

namespace {

constexpr uptr kSize = 1ull << 30;
constexpr uptr kSmallest = 6, kClasses = 30; // powers of two
constexpr u32 kMostMembers = 1 << 15;        // see heddle_shared_memory.h

struct Free {
  Free *next;
};

struct Shared {
  StaticSpinMutex mutex;
  uptr used;
  Free *free[kClasses];
  atomic_uint32_t count;
  GroupMember *members[kMostMembers];
};
Shared *shared;

uptr ClassOf(uptr bytes) {
  uptr size_class = kSmallest;
  while ((uptr(1) << size_class) < bytes)
    size_class++;
  return size_class;
}

} // namespace

void *AllocInGroup(uptr bytes) {
  const uptr size_class = ClassOf(bytes), size = uptr(1) << size_class;
  if (size_class >= kClasses || shared->used + size > kSize) {
    Printf("ERROR: ThreadSanitizer: processes=together: its %zu MiB of shared memory are full.\n",
           kSize >> 20);
    Die();
  }
  SpinMutexLock lock(&shared->mutex);
  if (Free *first = shared->free[size_class]) {
    shared->free[size_class] = first->next;
    return first;
  }
  void *memory = reinterpret_cast<char *>(shared) + shared->used;
  shared->used += size;
  return memory;
}

void FreeInGroup(void *memory, uptr bytes) {
  if (!memory)
    return;
  SpinMutexLock lock(&shared->mutex);
  auto *first = static_cast<Free *>(memory);
  first->next = shared->free[ClassOf(bytes)];
  shared->free[ClassOf(bytes)] = first;
}

void StartGroup() {
  const uptr memory = internal_mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (internal_iserror(memory)) {
    Printf("ERROR: ThreadSanitizer: processes=together: no shared memory.\n");
    Die();
  }
  shared = new (reinterpret_cast<void *>(memory)) Shared();
  shared->used = RoundUpTo(sizeof(Shared), 64);
  processes_together = true;
  AddMember(kNoMember);
  StartNames();
  atomic_store_relaxed(&ThisMember().process, u32(internal_getpid()));
}

MemberId AddMember(MemberId parent) {
  auto *member = static_cast<GroupMember *>(AllocInGroup(sizeof(GroupMember)));
  internal_memset(member, 0, sizeof(*member));
  member->parent = parent;
  const u32 count = Members();
  if (count == kMostMembers - 1) {
    Printf("ERROR: ThreadSanitizer: processes=together: more than %u processes.\n", count);
    Die();
  }
  shared->members[count] = member;
  atomic_store(&shared->count, count + 1, memory_order_release);
  return count;
}

u32 Members() { return atomic_load(&shared->count, memory_order_acquire); }
GroupMember &MemberAt(MemberId id) { return *shared->members[id]; }

void LockGroupMemory() SANITIZER_NO_THREAD_SAFETY_ANALYSIS { shared->mutex.Lock(); }
void UnlockGroupMemory() SANITIZER_NO_THREAD_SAFETY_ANALYSIS { shared->mutex.Unlock(); }

MemberId FindMember(int process) {
  for (MemberId id = Members(); id-- > 0;)
    if (!MemberAt(id).gone && atomic_load_relaxed(&MemberAt(id).process) == u32(process))
      return id;
  return kNoMember;
}

// A main thread that has ended while others go on is a zombie, too.
bool IsDead(const GroupMember &member) {
  const u32 process = atomic_load(&member.process, memory_order_acquire);
  if (!process)
    return atomic_load_relaxed(&member.not_forked);
  char path[64], text[1024];
  internal_snprintf(path, sizeof(path), "/proc/%u/status", process);
  const uptr file = internal_open(path, O_RDONLY | O_CLOEXEC);
  int error;
  if (internal_iserror(file, &error))
    return error == ENOENT;
  const sptr size = KernelCall(SYS_pread64, file, text, sizeof(text) - 1, 0);
  internal_close(file);
  if (size < 0)
    return true; // it has been waited for meanwhile
  text[size] = '\0';
  const char *state = internal_strstr(text, "\nState:\t");
  const char *threads = internal_strstr(text, "\nThreads:\t");
  return state && (state[8] == 'Z' || state[8] == 'X') &&
         (!threads || internal_atoll(threads + 10) <= 1);
}

} // namespace __heddle
