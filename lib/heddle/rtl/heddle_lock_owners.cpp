//===-- heddle_lock_owners.cpp - Locks that a new process holds -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_lock_owners.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "sanitizer_common/sanitizer_common.h"

#include <linux/futex.h>
#include <pthread.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

struct Owned {
  void *lock;
  OwnedKind kind;
  u32 times;
};

Growable<Owned, RuntimeMemory> *owned;

void Change(pthread_mutex_t *mutex, u32 from, u32 to) {
  if (u32(mutex->__data.__owner) == from)
    mutex->__data.__owner = int(to);
  // Robust ones, and those that inherit priorities: the system looks for the owner in the futex.
  constexpr int kRobust = 16, kInherits = 32;
  const u32 word = u32(mutex->__data.__lock);
  if (mutex->__data.__kind & (kRobust | kInherits) && (word & FUTEX_TID_MASK) == from)
    mutex->__data.__lock = int((word & ~FUTEX_TID_MASK) | to);
}

void Change(pthread_rwlock_t *lock, u32 from, u32 to) {
  if (u32(lock->__data.__cur_writer) == from)
    lock->__data.__cur_writer = int(to);
}

} // namespace

void NoteLockedImpl(void *lock, OwnedKind kind) {
  if (!owned)
    owned = New<Growable<Owned, RuntimeMemory>>();
  for (uptr i = 0; i < owned->Size(); i++)
    if ((*owned)[i].lock == lock) {
      (*owned)[i].times++;
      return;
    }
  owned->Push({lock, kind, 1});
}

void NoteUnlockedImpl(void *lock) {
  for (uptr i = 0; owned && i < owned->Size(); i++) {
    if ((*owned)[i].lock != lock)
      continue;
    if (--(*owned)[i].times == 0) {
      (*owned)[i] = owned->Back();
      owned->Pop();
    }
    return;
  }
}

void ChangeOwner(u32 from, u32 to) {
  for (uptr i = 0; owned && i < owned->Size(); i++) {
    const Owned &each = (*owned)[i];
    const bool is_mutex = each.kind == OwnedKind::kMutex;
    // A lock may have been given back to the system without being unlocked.
    if (!IsAccessibleMemoryRange(reinterpret_cast<uptr>(each.lock),
                                 is_mutex ? sizeof(pthread_mutex_t) : sizeof(pthread_rwlock_t)))
      continue;
    if (is_mutex)
      Change(static_cast<pthread_mutex_t *>(each.lock), from, to);
    else
      Change(static_cast<pthread_rwlock_t *>(each.lock), from, to);
  }
}

} // namespace __heddle
