//===-- tsan_interface_atomic.cpp - Atomic operations and fences ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry points that instrumented code calls instead of performing an atomic
// operation. They replace upstream's. Each operation is written once, as a
// template over the value's type; the entry points come from the tables at the
// end of the file.
//
// Every operation does three things: it tells the race detector about the
// access (Access), it performs the operation on memory (Native), and it applies
// the rules of happens-before (heddle/rtl/heddle_happens_before.h, or Upstream
// below with exact_happens_before=0). Their order is part of the rules:
//   - a store or RMW is announced before it is performed. Once it is performed,
//     another thread may have acquired it and freed its memory.
//   - a load is announced after its clock is acquired: what it read may
//     order the location's own initialisation before it.
//   - the value is written and its clock changed under the location's mutex
//     wherever a clock is involved, so that value and clock belong together.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control.h"
#include "heddle/rtl/heddle_crash.h"
#include "heddle/rtl/heddle_happens_before.h"
#include "heddle/rtl/heddle_membarrier.h"
#include "heddle/rtl/heddle_stale_reads.h"
#include "heddle/rtl/heddle_weak_impl.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_stacktrace.h"
#include "tsan_flags.h"
#include "tsan_interface.h"
#include "tsan_rtl.h"

#if SANITIZER_GO
#error "Heddle does not build the Go runtime"
#endif

// ALWAYS_INLINE for a lambda.
#define INLINED __attribute__((always_inline))

namespace __tsan {
namespace {

using __heddle::AtomicOperation;
using __heddle::ClockId;
using __heddle::HasClock;
using __heddle::kBeingChanged;
using __heddle::LocationChange;
using __heddle::OperationKind;
using __heddle::Order;
using __heddle::ShadowCells;
using __heddle::VisibleOperation;
using __heddle::WeakOperation;
using __heddle::WideValue;

//===-- Memory orders -----------------------------------------------------===//

bool IsRelease(morder mo) { return mo == mo_release || mo == mo_acq_rel || mo == mo_seq_cst; }

bool IsAcquire(morder mo) {
  // Like every compiler, we promote consume to acquire.
  return mo == mo_consume || mo == mo_acquire || mo == mo_acq_rel || mo == mo_seq_cst;
}

bool Exact() { return flags()->exact_happens_before == __heddle::ExactHappensBefore::kOn; }

// The order as the standard knows it: compilers pass hints in the high bits
// (GCC's __sync_* builtins, hardware lock elision).
morder StandardOrder(morder mo) {
  if (UNLIKELY(flags()->force_seq_cst_atomics))
    return mo_seq_cst;
  return static_cast<morder>(mo & 0x7fff);
}

// A failed compare-exchange stores nothing, so it can release nothing.
morder FailureOrder(morder mo) {
  mo = StandardOrder(mo);
  return mo == mo_release ? mo_relaxed : mo == mo_acq_rel ? mo_acquire : mo;
}

//===-- Operations on memory ----------------------------------------------===//
//
// As strong as any order asks for: happens-before is what the program sees.

struct Exchange {
  template <class T> static T Apply(T, T operand) { return operand; }
  template <class T> static T Perform(volatile T *a, T operand) {
    return __atomic_exchange_n(a, operand, __ATOMIC_SEQ_CST);
  }
};

#define FETCH_OPERATION(Name, name, expression)                                                    \
  struct Name {                                                                                    \
    template <class T> static T Apply(T old, T operand) { return expression; }                     \
    template <class T> static T Perform(volatile T *a, T operand) {                                \
      return __atomic_fetch_##name(a, operand, __ATOMIC_SEQ_CST);                                  \
    }                                                                                              \
  };
FETCH_OPERATION(FetchAdd, add, old + operand)
FETCH_OPERATION(FetchSub, sub, old - operand)
FETCH_OPERATION(FetchAnd, and, old &operand)
FETCH_OPERATION(FetchOr, or, old | operand)
FETCH_OPERATION(FetchXor, xor, old ^ operand)
FETCH_OPERATION(FetchNand, nand, ~(old &operand))
#undef FETCH_OPERATION

template <class T> struct Native {
  static T Load(const volatile T *a) { return __atomic_load_n(a, __ATOMIC_SEQ_CST); }
  static void Store(volatile T *a, T v, morder mo) {
    if (mo == mo_seq_cst)
      __atomic_store_n(a, v, __ATOMIC_SEQ_CST);
    else
      __atomic_store_n(a, v, __ATOMIC_RELEASE);
  }
  template <class Operation> static T Rmw(volatile T *a, T v) { return Operation::Perform(a, v); }
  static bool CompareExchange(volatile T *a, T *expected, T desired) {
    return __atomic_compare_exchange_n(a, expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
  }
};

// 16 bytes at once need an instruction that not every target has, and that
// cannot load from read-only memory. A lock does, as long as all accesses are
// instrumented.
StaticSpinMutex mutex128;

template <> struct Native<a128> {
  static a128 Load(const volatile a128 *a) {
    SpinMutexLock lock(&mutex128);
    return *a;
  }
  static void Store(volatile a128 *a, a128 v, morder) {
    SpinMutexLock lock(&mutex128);
    *a = v;
  }
  template <class Operation> static a128 Rmw(volatile a128 *a, a128 v) {
    SpinMutexLock lock(&mutex128);
    a128 old = *a;
    *a = Operation::Apply(old, v);
    return old;
  }
  static bool CompareExchange(volatile a128 *a, a128 *expected, a128 desired) {
    SpinMutexLock lock(&mutex128);
    if (*a == *expected) {
      *a = desired;
      return true;
    }
    *expected = *a;
    return false;
  }
};

void NativeFence(morder mo) {
  if (mo == mo_seq_cst) {
#if defined(__x86_64__)
    // A full barrier for ordinary memory at a third of mfence's cost.
    __asm__ __volatile__("lock; orq $0, (%%rsp)" ::: "memory", "cc");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
  } else if (mo != mo_relaxed)
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
}

template <class T>
ALWAYS_INLINE void Access(ThreadState *thr, uptr pc, const volatile T *a, AccessType type) {
  uptr addr = reinterpret_cast<uptr>(a);
  MemoryAccess(thr, pc, addr, min<uptr>(sizeof(T), 8), type | kAccessAtomic);
  if (sizeof(T) == 16)
    MemoryAccess(thr, pc, addr + 8, 8, type | kAccessAtomic);
}

ALWAYS_INLINE SyncVar *FindSync(const volatile void *a) {
  uptr addr = reinterpret_cast<uptr>(a);
  if (LIKELY(!*MemToMeta(addr))) // neither a SyncVar nor a heap block starts here
    return nullptr;
  return ctx->metamap.GetSyncIfExists(addr);
}

SyncVar *MakeSync(ThreadState *thr, uptr pc, const volatile void *a) {
  return ctx->metamap.GetSyncOrCreate(thr, pc, reinterpret_cast<uptr>(a), false);
}

//===-- Exact happens-before ----------------------------------------------===//

template <class T>
NOINLINE T LoadWithSync(ThreadState *thr, SyncVar *s, const volatile T *a, bool acquire) {
  ClockId before = s->heddle.Id();
  T v = Native<T>::Load(a);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (LIKELY(before == s->heddle.Id() && before != kBeingChanged && !(acquire && s->clock) &&
             (!HasClock(before) || thr->heddle.Clocks(thr).Has(before, acquire))))
    return v;
  SlotLocker locker(thr);
  ReadLock lock(&s->mtx);
  __heddle::ReadFrom(thr, s, s->heddle.Id(), acquire);
  return Native<T>::Load(a);
}

template <class T> ALWAYS_INLINE T Load(ThreadState *thr, uptr pc, const volatile T *a, morder mo) {
  const bool acquire = IsAcquire(mo);
  if (!acquire)
    Access(thr, pc, a, kAccessRead);
  T v = Native<T>::Load(a);
  // A store makes the SyncVar before it writes the value: where there is none
  // after the load, the value came with no clock.
  if (SyncVar *s = FindSync(a))
    v = LoadWithSync(thr, s, a, acquire);
  if (acquire)
    Access(thr, pc, a, kAccessRead);
  return v;
}

template <class T>
NOINLINE void StoreWithSync(ThreadState *thr, uptr pc, volatile T *a, T v, morder mo) {
  const bool release = IsRelease(mo);
  SlotLocker locker(thr);
  {
    SyncVar *s = MakeSync(thr, pc, a);
    Lock lock(&s->mtx);
    LocationChange change(thr, s);
    change.Store(release);
    Native<T>::Store(a, v, mo);
  }
  if (release)
    IncrementEpoch(thr);
}

template <class T>
ALWAYS_INLINE void Store(ThreadState *thr, uptr pc, volatile T *a, T v, morder mo) {
  Access(thr, pc, a, kAccessWrite);
  if (!IsRelease(mo) && LIKELY(!thr->heddle.HasReleaseFence())) {
    SyncVar *s = FindSync(a);
    if (LIKELY(!s || !HasClock(s->heddle.Id())))
      return Native<T>::Store(a, v, mo); // no sequence to end, no fence to publish
  }
  StoreWithSync(thr, pc, a, v, mo);
}

// Performs `operation` as an RMW of the location: returns false, and applies no
// rule, if it stored nothing.
template <class Operation>
NOINLINE bool RmwWithSync(ThreadState *thr, uptr pc, const volatile void *a, morder mo,
                          Operation operation) {
  const bool acquire = IsAcquire(mo), release = IsRelease(mo);
  SlotLocker locker(thr);
  SyncVar *s = MakeSync(thr, pc, a);
  if (!release && !thr->heddle.HasReleaseFence()) {
    // Every sequence goes on as it is.
    ReadLock lock(&s->mtx);
    if (!operation())
      return false;
    __heddle::ReadFrom(thr, s, s->heddle.Id(), acquire);
    return true;
  }
  {
    Lock lock(&s->mtx);
    LocationChange change(thr, s);
    if (!operation())
      return false;
    change.Rmw(acquire, release);
  }
  if (release)
    IncrementEpoch(thr);
  return true;
}

// A relaxed RMW by a thread that has no fence to publish. Returns false if it
// takes RmwWithSync, and `operation` has not been called.
template <class Operation>
ALWAYS_INLINE bool RelaxedRmw(ThreadState *thr, const volatile void *a, Operation operation,
                              bool *stored) {
  SyncVar *s = FindSync(a);
  ClockId id = s ? s->heddle.Id() : __heddle::kNeverReleased;
  if (LIKELY(!HasClock(id))) {
    *stored = operation();
    s = FindSync(a);
    if (UNLIKELY(s && s->heddle.Id() != id))
      __heddle::ReadFromUnknown(thr);
    return true;
  }
  // It reads a clock that the thread has joined already, if no store comes
  // between: the mutex sees to that.
  if (id != kBeingChanged && thr->heddle.Clocks(thr).Has(id, false)) {
    ReadLock lock(&s->mtx);
    if (s->heddle.Id() == id) {
      *stored = operation();
      return true;
    }
  }
  return false;
}

template <class Operation>
ALWAYS_INLINE bool AnyRmw(ThreadState *thr, uptr pc, const volatile void *a, morder mo,
                          Operation operation) {
  bool stored;
  if (mo == mo_relaxed && LIKELY(!thr->heddle.HasReleaseFence()) &&
      LIKELY(RelaxedRmw(thr, a, operation, &stored)))
    return stored;
  return RmwWithSync(thr, pc, a, mo, operation);
}

template <class Operation, class T>
ALWAYS_INLINE T Rmw(ThreadState *thr, uptr pc, volatile T *a, T v, morder mo) {
  Access(thr, pc, a, kAccessWrite);
  T old;
  AnyRmw(thr, pc, a, mo, [&]() INLINED {
    old = Native<T>::template Rmw<Operation>(a, v);
    return true;
  });
  return old;
}

// A failed compare-exchange is a load with the failure order: no access to be
// announced as a write, no release. So look first, and go on only if it is
// about to succeed. Should it fail after all, it has been announced as a write
// that some other thread performed meanwhile; look again.
template <class T>
ALWAYS_INLINE bool CompareExchange(ThreadState *thr, uptr pc, volatile T *a, T *expected, T desired,
                                   morder mo, morder failure) {
  const T wanted = *expected;
  for (;;) {
    if (Native<T>::Load(a) != wanted) {
      T found = Load(thr, pc, a, failure);
      if (LIKELY(found != wanted)) {
        *expected = found;
        return false;
      }
    }
    Access(thr, pc, a, kAccessWrite);
    if (LIKELY(AnyRmw(thr, pc, a, mo, [&]() INLINED {
          T found = wanted;
          return Native<T>::CompareExchange(a, &found, desired);
        })))
      return true;
  }
}

void Fence(ThreadState *thr, morder mo) {
  NativeFence(mo);
  // An acquire-release fence releases what it has acquired.
  if (IsAcquire(mo))
    __heddle::AcquireFence(thr);
  if (IsRelease(mo))
    __heddle::ReleaseFence(thr);
}

//===-- Upstream's happens-before -----------------------------------------===//
//
// Stock ThreadSanitizer's rules, for comparison: one clock per location, which
// relaxed operations neither read nor change, and no fences.

struct Upstream {
  template <class T> static T Load(ThreadState *thr, uptr pc, const volatile T *a, morder mo) {
    T v = Native<T>::Load(a);
    SyncVar *s;
    if (IsAcquire(mo) && (s = FindSync(a))) {
      SlotLocker locker(thr);
      ReadLock lock(&s->mtx);
      thr->clock.Acquire(s->clock);
      v = Native<T>::Load(a);
    }
    Access(thr, pc, a, kAccessRead);
    return v;
  }

  template <class T> static void Store(ThreadState *thr, uptr pc, volatile T *a, T v, morder mo) {
    Access(thr, pc, a, kAccessWrite);
    if (!IsRelease(mo))
      return Native<T>::Store(a, v, mo);
    SlotLocker locker(thr);
    {
      SyncVar *s = MakeSync(thr, pc, a);
      Lock lock(&s->mtx);
      thr->clock.ReleaseStore(&s->clock);
      Native<T>::Store(a, v, mo);
    }
    IncrementEpoch(thr);
  }

  template <class T, class Operation>
  static bool AnyRmw(ThreadState *thr, uptr pc, volatile T *a, morder mo, morder failure,
                     Operation operation) {
    Access(thr, pc, a, kAccessWrite);
    if (mo == mo_relaxed && failure == mo_relaxed)
      return operation();
    SlotLocker locker(thr);
    const bool release = IsRelease(mo);
    bool stored;
    {
      SyncVar *s = MakeSync(thr, pc, a);
      RWLock lock(&s->mtx, release);
      stored = operation();
      if (IsAcquire(stored ? mo : failure))
        thr->clock.Acquire(s->clock);
      if (stored && release)
        thr->clock.Release(&s->clock);
    }
    if (stored && release)
      IncrementEpoch(thr);
    return stored;
  }

  template <class Operation, class T>
  static T Rmw(ThreadState *thr, uptr pc, volatile T *a, T v, morder mo) {
    T old;
    AnyRmw(thr, pc, a, mo, mo_relaxed, [&] {
      old = Native<T>::template Rmw<Operation>(a, v);
      return true;
    });
    return old;
  }

  template <class T>
  static bool CompareExchange(ThreadState *thr, uptr pc, volatile T *a, T *expected, T desired,
                              morder mo, morder failure) {
    return AnyRmw(thr, pc, a, mo, failure,
                  [&] { return Native<T>::CompareExchange(a, expected, desired); });
  }
};

//===-- Weak memory -------------------------------------------------------===//
//
// The memory model says what is read. See heddle/rtl/heddle_weak_memory.h.

Order ModelOrder(morder mo) { return static_cast<Order>(mo); }

void AfterLoad(ThreadState *thr) {
  if (UNLIKELY(flags()->stale_reads == __heddle::StaleReads::kPrint))
    __heddle::PrintNewStaleReads(thr);
}

struct Weak {
  template <class T> static T Load(ThreadState *thr, uptr pc, const volatile T *a, morder mo) {
    if (NoHistory<T>())
      return __tsan::Load(thr, pc, a, mo);
    const ShadowCells shadow(a);
    const bool acquire = IsAcquire(mo);
    T v;
    if (HasNewest(thr, a, shadow, mo, &v)) {
      Access(thr, pc, a, kAccessRead);
      return v;
    }
    if (!acquire)
      Access(thr, pc, a, kAccessRead);
    bool hardware;
    {
      WeakOperation operation(thr, pc, a, sizeof(T), shadow);
      hardware = operation.hardware();
      if (LIKELY(!hardware))
        v = static_cast<T>(operation.Load(Memory(a), ModelOrder(mo)));
    }
    if (UNLIKELY(hardware))
      return __tsan::Load(thr, pc, a, mo);
    if (acquire)
      Access(thr, pc, a, kAccessRead);
    AfterLoad(thr);
    return v;
  }

  template <class T> static void Store(ThreadState *thr, uptr pc, volatile T *a, T v, morder mo) {
    if (NoHistory<T>())
      return __tsan::Store(thr, pc, a, v, mo);
    ShadowCells shadow;
    if (__heddle::Scheduled())
      shadow = ShadowCells(a);
    Access(thr, pc, a, kAccessWrite);
    {
      WeakOperation operation(thr, pc, a, sizeof(T), shadow);
      if (LIKELY(!operation.hardware())) {
        operation.Store(Memory(a), Widen(v), ModelOrder(mo));
        if (LIKELY(operation.is_last()))
          Native<T>::Store(a, v, mo_release);
        return;
      }
    }
    __tsan::Store(thr, pc, a, v, mo);
  }

  template <class Operation, class T>
  static T Rmw(ThreadState *thr, uptr pc, volatile T *a, T v, morder mo) {
    if (NoHistory<T>())
      return __tsan::Rmw<Operation>(thr, pc, a, v, mo);
    ShadowCells shadow;
    if (__heddle::Scheduled())
      shadow = ShadowCells(a);
    Access(thr, pc, a, kAccessWrite);
    T old;
    bool hardware;
    {
      WeakOperation operation(thr, pc, a, sizeof(T), shadow);
      hardware = operation.hardware();
      if (LIKELY(!hardware)) {
        auto apply = [](WideValue old, WideValue operand) {
          return Widen<T>(Operation::Apply(static_cast<T>(old), static_cast<T>(operand)));
        };
        old = static_cast<T>(operation.Rmw(Memory(a), apply, Widen(v), ModelOrder(mo)));
        if (LIKELY(operation.is_last()))
          Native<T>::Store(a, Operation::Apply(old, v), mo_release);
      }
    }
    if (UNLIKELY(hardware))
      return __tsan::Rmw<Operation>(thr, pc, a, v, mo);
    AfterLoad(thr);
    return old;
  }

  template <class T>
  static bool CompareExchange(ThreadState *thr, uptr pc, volatile T *a, T *expected, T desired,
                              morder mo, morder failure, bool weak) {
    if (NoHistory<T>())
      return __tsan::CompareExchange(thr, pc, a, expected, desired, mo, failure);
    const ShadowCells shadow(a);
    const T wanted = *expected;
    T newest;
    if (!weak && Native<T>::Load(a) != wanted && HasNewest(thr, a, shadow, failure, &newest) &&
        newest != wanted) {
      Access(thr, pc, a, kAccessRead);
      *expected = newest;
      return false;
    }
    for (;;) {
      // Whether it succeeds is known when it is over. Under a schedule nobody notices
      // if it is announced then. Without, it must be announced before, and then
      // succeed, or be tried again.
      const bool announced = !__heddle::schedule_controlled && Native<T>::Load(a) == wanted;
      if (announced)
        Access(thr, pc, a, kAccessWrite);
      bool stored;
      {
        WeakOperation operation(thr, pc, a, sizeof(T), shadow);
        if (UNLIKELY(operation.hardware()))
          break;
        const T memory = Native<T>::Load(a);
        if (!__heddle::schedule_controlled && announced != (memory == wanted))
          continue;
        WideValue found = Widen(wanted);
        stored = operation.CompareExchange(Widen(memory), &found, Widen(desired), ModelOrder(mo),
                                           ModelOrder(failure), weak, announced);
        if (stored && operation.is_last())
          Native<T>::Store(a, desired, mo_release);
        if (!stored)
          *expected = static_cast<T>(found);
      }
      if (!announced)
        Access(thr, pc, a, stored ? kAccessWrite : kAccessRead);
      if (stored)
        WeakOperation::EndRelease(thr);
      AfterLoad(thr);
      return stored;
    }
    return __tsan::CompareExchange(thr, pc, a, expected, desired, mo, failure);
  }

  static void Fence(ThreadState *thr, morder mo) {
    __tsan::Fence(thr, mo); // for locations that the engine knows nothing of
    __heddle::WeakFence(thr, ModelOrder(mo));
  }

private:
  template <class T> static WideValue Widen(T v) { return static_cast<WideValue>(v); }
  template <class T> static WideValue Memory(const volatile T *a) {
    return Widen(Native<T>::Load(a));
  }

  // The buffer engine leaves 16 bytes to the hardware.
  template <class T> static bool NoHistory() {
    return sizeof(T) > sizeof(u64) && __heddle::buffer_engine;
  }

  // Whether there is nothing to choose for a load, and nothing to acquire. Takes no lock:
  // it counts if the thread is still among those who have the newest store when the value
  // has been read, since nobody but the thread adds it to them.
  template <class T>
  static ALWAYS_INLINE bool HasNewest(ThreadState *thr, const volatile T *a,
                                      const ShadowCells &shadow, morder mo, T *v) {
    const bool acquire = IsAcquire(mo), seq_cst = mo == mo_seq_cst;
    __heddle::WeakThread *thread = thr->heddle.Weak();
    SyncVar *s;
    if (sizeof(T) > sizeof(u64) || __heddle::schedule_controlled || UNLIKELY(!thread) ||
        UNLIKELY(!(s = FindSync(a))) || !thread->newest.In(s->heddle.Id(), acquire, seq_cst) ||
        UNLIKELY(acquire && s->clock))
      return false;
    const __heddle::WeakLocation *location = s->heddle.weak();
    if (UNLIKELY(!location)) // all clocks have started anew just now
      return false;
    *v = Native<T>::Load(a);
    if (UNLIKELY(location->size != sizeof(T)) || UNLIKELY(location->last != static_cast<u64>(*v)) ||
        UNLIKELY(!location->Untouched(reinterpret_cast<uptr>(a), shadow)))
      return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (UNLIKELY(!thread->newest.In(s->heddle.Id(), acquire, seq_cst)))
      return false;
    return true;
  }
};

// A fence of any order, of a thread that has its turn.
void AnyFence(ThreadState *thr, morder order) {
  if (UNLIKELY(__heddle::weak_memory))
    Weak::Fence(thr, order);
  else
    LIKELY(Exact()) ? Fence(thr, order) : NativeFence(mo_seq_cst);
}

//===-- Entry points ------------------------------------------------------===//

// Before the turn or the engine is taken: what crashes crashes here (heddle/rtl/heddle_crash.h).
ALWAYS_INLINE void TouchFirst(ThreadState *thr, OperationKind kind, const volatile void *a) {
  if (LIKELY(!__heddle::schedule_controlled && !__heddle::weak_memory))
    return;
  __heddle::ReserveStack(thr);
  if (kind == OperationKind::kLoad)
    __heddle::TouchToRead(a);
  else if (kind != OperationKind::kFence)
    __heddle::TouchToWrite(a);
}

// Where the thread ignores synchronisation. A mutex of the program's own is locked and unlocked by
// such operations, and others wait for them: they are visible all the same.
template <class NativeOperation>
ALWAYS_INLINE auto RunIgnored(ThreadState *thr, uptr pc, OperationKind kind, const volatile void *a,
                              NativeOperation native) {
  if (thr->ignore_interceptors) {
    VisibleOperation none;
    return native(none);
  }
  VisibleOperation visible(thr, pc, kind, a);
  return native(visible);
}

// Runs `tracked(thr, visible)` with the current thread when it is its turn, or
// `native(visible)` where the thread ignores synchronisation.
template <class Tracked, class NativeOperation>
ALWAYS_INLINE auto Run(uptr pc, OperationKind kind, const volatile void *a, Tracked tracked,
                       NativeOperation native) {
  ThreadState *thr = cur_thread();
  ProcessPendingSignals(thr);
  TouchFirst(thr, kind, a);
  if (UNLIKELY(thr->ignore_sync || thr->ignore_interceptors))
    return RunIgnored(thr, pc, kind, a, native);
  AtomicOperation visible(thr, pc, kind, a);
  __heddle::TakeMembarriers(thr);
  return tracked(thr, visible);
}

template <class T> ALWAYS_INLINE T LoadEntry(uptr pc, const volatile T *a, morder mo) {
  const morder order = StandardOrder(mo);
  const auto tell = [=](VisibleOperation &visible, T v) INLINED {
    if (LIKELY(!visible.controlled()))
      return;
    visible.Loaded(a, static_cast<u64>(v));
    visible.Accessed({sizeof(T), u32(order), true, false, static_cast<u64>(v), 0});
  };
  return Run(
      pc, OperationKind::kLoad, a,
      [&](ThreadState *thr, VisibleOperation &visible) INLINED {
        T v = UNLIKELY(__heddle::weak_memory) ? Weak::Load(thr, pc, a, order)
              : LIKELY(Exact())               ? Load(thr, pc, a, order)
                                              : Upstream::Load(thr, pc, a, order);
        tell(visible, v);
        return v;
      },
      [=](VisibleOperation &visible) INLINED {
        T v = Native<T>::Load(a);
        tell(visible, v);
        return v;
      });
}

template <class T> ALWAYS_INLINE void StoreEntry(uptr pc, volatile T *a, T v, morder mo) {
  const morder order = StandardOrder(mo);
  const auto tell = [=](VisibleOperation &visible) INLINED {
    if (UNLIKELY(visible.controlled()))
      visible.Accessed({sizeof(T), u32(order), false, true, 0, static_cast<u64>(v)});
  };
  Run(
      pc, OperationKind::kStore, a,
      [&](ThreadState *thr, VisibleOperation &visible) INLINED {
        UNLIKELY(__heddle::weak_memory) ? Weak::Store(thr, pc, a, v, order)
        : LIKELY(Exact())               ? Store(thr, pc, a, v, order)
                                        : Upstream::Store(thr, pc, a, v, order);
        tell(visible);
      },
      [=](VisibleOperation &visible) INLINED {
        Native<T>::Store(a, v, order);
        tell(visible);
      });
}

template <class Operation, class T>
ALWAYS_INLINE T RmwEntry(uptr pc, volatile T *a, T v, morder mo) {
  const morder order = StandardOrder(mo);
  const auto tell = [=](VisibleOperation &visible, T old) INLINED {
    if (LIKELY(!visible.controlled()))
      return;
    const T stored = Operation::Apply(old, v);
    if (stored == old)
      visible.LoadedOnly(a, static_cast<u64>(old));
    visible.Accessed(
        {sizeof(T), u32(order), true, true, static_cast<u64>(old), static_cast<u64>(stored)});
  };
  return Run(
      pc, OperationKind::kRmw, a,
      [&](ThreadState *thr, VisibleOperation &visible) INLINED {
        T old = UNLIKELY(__heddle::weak_memory) ? Weak::Rmw<Operation>(thr, pc, a, v, order)
                : LIKELY(Exact())               ? Rmw<Operation>(thr, pc, a, v, order)
                                                : Upstream::Rmw<Operation>(thr, pc, a, v, order);
        tell(visible, old);
        return old;
      },
      [=](VisibleOperation &visible) INLINED {
        T old = Native<T>::template Rmw<Operation>(a, v);
        tell(visible, old);
        return old;
      });
}

template <class T>
ALWAYS_INLINE bool CompareExchangeEntry(uptr pc, volatile T *a, T *expected, T desired, morder mo,
                                        morder failure, bool weak) {
  const morder order = StandardOrder(mo), fail = FailureOrder(failure);
  const auto tell = [=](VisibleOperation &visible, bool stored) INLINED {
    if (LIKELY(!visible.controlled()))
      return;
    if (!stored)
      visible.LoadedOnly(a, static_cast<u64>(*expected));
    visible.Accessed({sizeof(T), u32(stored ? order : fail), true, stored,
                      static_cast<u64>(*expected), static_cast<u64>(desired)});
  };
  return Run(
      pc, OperationKind::kRmw, a,
      [&](ThreadState *thr, VisibleOperation &visible) INLINED {
        bool stored = UNLIKELY(__heddle::weak_memory)
                          ? Weak::CompareExchange(thr, pc, a, expected, desired, order, fail, weak)
                      : LIKELY(Exact())
                          ? CompareExchange(thr, pc, a, expected, desired, order, fail)
                          : Upstream::CompareExchange(thr, pc, a, expected, desired, order, fail);
        tell(visible, stored);
        return stored;
      },
      [=](VisibleOperation &visible) INLINED {
        bool stored = Native<T>::CompareExchange(a, expected, desired);
        tell(visible, stored);
        return stored;
      });
}

} // namespace
} // namespace __tsan

using namespace __tsan;

void __heddle::FullFence(ThreadState *thr) { AnyFence(thr, mo_seq_cst); }

extern "C" {

#define RMW_ENTRY(bits, name, Operation)                                                           \
  SANITIZER_INTERFACE_ATTRIBUTE                                                                    \
  a##bits __tsan_atomic##bits##_##name(volatile a##bits *a, a##bits v, morder mo) {                \
    return RmwEntry<Operation>(GET_CALLER_PC(), a, v, mo);                                         \
  }

#define COMPARE_EXCHANGE_ENTRY(bits, strength, weak)                                               \
  SANITIZER_INTERFACE_ATTRIBUTE                                                                    \
  int __tsan_atomic##bits##_compare_exchange_##strength(                                           \
      volatile a##bits *a, a##bits *expected, a##bits desired, morder mo, morder failure) {        \
    return CompareExchangeEntry(GET_CALLER_PC(), a, expected, desired, mo, failure, weak);         \
  }

#define ENTRIES(bits)                                                                              \
  SANITIZER_INTERFACE_ATTRIBUTE                                                                    \
  a##bits __tsan_atomic##bits##_load(const volatile a##bits *a, morder mo) {                       \
    return LoadEntry(GET_CALLER_PC(), a, mo);                                                      \
  }                                                                                                \
  SANITIZER_INTERFACE_ATTRIBUTE                                                                    \
  void __tsan_atomic##bits##_store(volatile a##bits *a, a##bits v, morder mo) {                    \
    StoreEntry(GET_CALLER_PC(), a, v, mo);                                                         \
  }                                                                                                \
  RMW_ENTRY(bits, exchange, Exchange)                                                              \
  RMW_ENTRY(bits, fetch_add, FetchAdd)                                                             \
  RMW_ENTRY(bits, fetch_sub, FetchSub)                                                             \
  RMW_ENTRY(bits, fetch_and, FetchAnd)                                                             \
  RMW_ENTRY(bits, fetch_or, FetchOr)                                                               \
  RMW_ENTRY(bits, fetch_xor, FetchXor)                                                             \
  RMW_ENTRY(bits, fetch_nand, FetchNand)                                                           \
  COMPARE_EXCHANGE_ENTRY(bits, strong, false)                                                      \
  COMPARE_EXCHANGE_ENTRY(bits, weak, true)                                                         \
  SANITIZER_INTERFACE_ATTRIBUTE                                                                    \
  a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *a, a##bits expected,        \
                                                     a##bits desired, morder mo, morder failure) { \
    CompareExchangeEntry(GET_CALLER_PC(), a, &expected, desired, mo, failure, false);              \
    return expected;                                                                               \
  }

ENTRIES(8)
ENTRIES(16)
ENTRIES(32)
ENTRIES(64)
ENTRIES(128)

SANITIZER_INTERFACE_ATTRIBUTE
void __tsan_atomic_thread_fence(morder mo) {
  Run(
      GET_CALLER_PC(), OperationKind::kFence, nullptr,
      [&](ThreadState *thr, VisibleOperation &visible) {
        morder order = StandardOrder(mo);
        AnyFence(thr, order);
        if (UNLIKELY(visible.controlled()))
          visible.Accessed({0, u32(order), false, false, 0, 0});
      },
      [=](VisibleOperation &) { NativeFence(StandardOrder(mo)); });
}

// Orders a thread with its own signal handlers only, which the compiler does.
SANITIZER_INTERFACE_ATTRIBUTE
void __tsan_atomic_signal_fence(morder) {}

} // extern "C"
