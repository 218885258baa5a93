//===-- heddle_process_order.cpp - Who came first, of several processes ---===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_process_order.h"

#include "heddle/choice/growable.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_demo.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

constexpr u64 kNothing = ~0ull;

// A process that lives. One that has nothing to wait for is none.
struct Place {
  atomic_uint64_t next;
  atomic_uint32_t process;
};

// In memory that the processes share. Of more than these, the others have no part in the order.
constexpr uptr kMostPlaces = 1024;
struct SharedOrder {
  atomic_uint64_t last; // number that has been given
  atomic_uint32_t counts;
  Place places[kMostPlaces];
};
SharedOrder *order;

// In a replay: this process's, and that of the child which it is about to make.
Place *own, *childs;

// The numbers in this process's demo, and whether they have been passed, in the lowest bit.
StaticSpinMutex mutex;
Growable<u64, RuntimeMemory> *expected;
uptr first; // of those that have not

Place *FindPlace() {
  for (uptr i = 0; order && i < kMostPlaces; i++) {
    u64 next = kNothing;
    if (atomic_compare_exchange_strong(&order->places[i].next, &next, 0, memory_order_acq_rel)) {
      atomic_store_relaxed(&order->places[i].process, 0);
      return &order->places[i];
    }
  }
  return nullptr;
}

void Publish() {
  while (first < expected->Size() && ((*expected)[first] & 1))
    first++;
  if (own)
    atomic_store(&own->next, first < expected->Size() ? (*expected)[first] >> 1 : kNothing,
                 memory_order_release);
}

// Another process that has an earlier number before it, or null.
Place *FindEarlier(u64 number) {
  for (uptr i = 0; i < kMostPlaces; i++) {
    Place *place = &order->places[i];
    if (place != own && atomic_load(&place->next, memory_order_acquire) < number)
      return place;
  }
  return nullptr;
}

// Without a descriptor, whose number might be one that the program is about to get. A zombie is
// its parent's to notice.
bool IsDead(int process) {
  siginfo_t info;
  info.si_pid = 0;
  return KernelCall(SYS_kill, process, 0) ||
         (!KernelCall(SYS_waitid, P_PID, process, &info, WEXITED | WNOHANG | WNOWAIT, nullptr) &&
          info.si_pid);
}

} // namespace

void BeginOrder() {
  expected = New<Growable<u64, RuntimeMemory>>();
  const uptr memory = internal_mmap(nullptr, RoundUpTo(sizeof(SharedOrder), GetPageSizeCached()),
                                    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (internal_iserror(memory))
    return;
  order = reinterpret_cast<SharedOrder *>(memory);
  if (Recording())
    return;
  for (Place &place : order->places)
    atomic_store_relaxed(&place.next, kNothing);
  own = FindPlace();
}

//===-- Recording ---------------------------------------------------------===//

u64 TakeOrder() {
  if (LIKELY(!order || !atomic_load_relaxed(&order->counts)))
    return 0;
  return atomic_fetch_add(&order->last, 1, memory_order_acq_rel) + 1;
}

//===-- In a replay -------------------------------------------------------===//

void ExpectOrder(u64 number) { expected->Push(number << 1); }

void EnterOrder() {
  SpinMutexLock lock(&mutex);
  if (!expected->Empty())
    Sort(&(*expected)[0], expected->Size());
  first = 0;
  if (own)
    atomic_store_relaxed(&own->process, u32(internal_getpid()));
  Publish();
}

namespace {

void Await(u64 number) {
  constexpr u64 kPatience = 10'000'000'000, kLook = 100'000'000;
  constexpr u32 kSpins = 200, kPause = 100; // microseconds
  u64 begin = 0, looked = 0, awaited = 0;
  for (u32 turn = 0; Place *other = FindEarlier(number); turn++) {
    if (turn < kSpins) {
      internal_sched_yield();
      continue;
    }
    internal_usleep(kPause);
    const u64 now = MonotonicNanoTime(), next = atomic_load_relaxed(&other->next);
    if (!begin || next != awaited)
      begin = looked = now;
    awaited = next;
    const u32 process = atomic_load_relaxed(&other->process);
    if (now - looked > kLook && process && IsDead(int(process)))
      atomic_store(&other->next, kNothing, memory_order_release);
    if (now - looked > kLook)
      looked = now;
    if (now - begin > kPatience)
      Desynchronised("process %u comes first, but it does not come", process);
  }
}

void Pass(u64 number) {
  SpinMutexLock lock(&mutex);
  uptr from = first, to = expected->Size();
  while (from < to) {
    const uptr middle = (from + to) / 2;
    if ((*expected)[middle] >> 1 < number)
      from = middle + 1;
    else
      to = middle;
  }
  if (from < expected->Size() && (*expected)[from] >> 1 == number)
    (*expected)[from] |= 1;
  Publish();
}

} // namespace

void AwaitOrder(const CallOrder &order) {
  if (LIKELY(!own || (!order.begin && !order.end)))
    return;
  if (order.begin)
    Await(order.begin);
  if (order.begin && order.end)
    Pass(order.begin);
  if (order.end)
    Await(order.end);
}

void PassOrder(const CallOrder &order) {
  if (UNLIKELY(own && (order.begin || order.end)))
    Pass(order.end ? order.end : order.begin);
}

void LeaveOrder() {
  if (own)
    atomic_store(&own->next, kNothing, memory_order_release);
  own = nullptr;
}

//===-- Both: forks -------------------------------------------------------===//

void OrderBeforeFork() {
  if (!order)
    return;
  if (Recording())
    atomic_store(&order->counts, 1, memory_order_release);
  else if (own)
    childs = FindPlace();
}

void OrderAfterFork(int child) {
  if (!childs)
    return;
  if (child > 0)
    atomic_store_relaxed(&childs->process, u32(child));
  else
    atomic_store(&childs->next, kNothing, memory_order_release);
  childs = nullptr;
}

// Another thread of the parent may have had the lock.
void OrderInChild() {
  mutex.Init();
  own = childs;
  childs = nullptr;
  if (expected)
    expected->Clear();
}

} // namespace __heddle
