//===-- heddle_lock_owners.h - Locks that a new process holds -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// glibc keeps in a lock which thread has it, by the system's number of the thread: in mutexes, and
// in read-write locks that are locked to write. An execution of a fork server is a new process,
// whose thread has another number. What it has locked before would belong to nobody: an unlock of a
// recursive mutex fails, and that of a read-write lock gives back what was never read. So the locks
// that the thread holds when it becomes a server are known, and their owners are changed in each
// execution.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_LOCK_OWNERS_H
#define HEDDLE_RTL_LOCK_OWNERS_H

#include "heddle/choice/types.h"
#include "heddle/rtl/heddle_fork_server.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

enum class OwnedKind : u8 { kMutex, kRwLock };

// The only thread has locked it, or unlocked it: as often as it does either.
void NoteLockedImpl(void *lock, OwnedKind kind);
void NoteUnlockedImpl(void *lock);

ALWAYS_INLINE void NoteLocked(void *lock, OwnedKind kind) {
  if (UNLIKELY(fork_server))
    NoteLockedImpl(lock, kind);
}
ALWAYS_INLINE void NoteUnlocked(void *lock) {
  if (UNLIKELY(fork_server))
    NoteUnlockedImpl(lock);
}

// What thread `from` has is from now on thread `to`'s, which is the same one in a new process.
void ChangeOwner(u32 from, u32 to);

} // namespace __heddle

#endif // HEDDLE_RTL_LOCK_OWNERS_H
