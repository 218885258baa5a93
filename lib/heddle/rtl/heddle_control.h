//===-- heddle_control.h - A program under a controlled schedule ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every visible operation of a controlled thread is a VisibleOperation, from
// before it begins to after it has ended:
//
//   VisibleOperation visible(thr, pc, OperationKind::kLock, mutex);
//   while (REAL(pthread_mutex_trylock)(mutex) == EBUSY)
//     visible.Block({WaitKind::kMutex, uptr(mutex)});
//
// Its constructor is Wait: it returns when it is the thread's turn, and until its
// end no other controlled thread performs a visible operation. Its destructor is
// Tick. Nothing inside may block but through Block(), which lets others go on and
// returns when the thread has its turn again. Neither may begin while one of
// ThreadSanitizer's own locks is held.
//
// Threads that are not controlled (no schedule= flag, the runtime's own, or after
// their end) pass through: controlled() is false then, and all others do nothing.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_CONTROL_H
#define HEDDLE_RTL_CONTROL_H

#include "heddle/schedule/scheduler.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __sanitizer {
struct __sanitizer_sigset_t;
}

namespace __tsan {
class ReportDesc;
struct ThreadState;
} // namespace __tsan

namespace __heddle {

struct ControlledThread;

// Whether there is a schedule at all.
extern bool schedule_controlled;

// From heddle_sync.h, without it.
ControlledThread *ControlledOf(__tsan::ThreadState *thr);

// What an atomic operation did, for execution_file=. Of 16 bytes the lower half.
struct AtomicAccess {
  u32 size;  // 0: a fence
  u32 order; // as in C: 0 is relaxed, 5 seq_cst
  bool reads, writes;
  u64 read, written;
};

class VisibleOperation {
public:
  VisibleOperation() = default; // none: as of a thread that is not controlled
  ALWAYS_INLINE VisibleOperation(__tsan::ThreadState *thr, uptr pc, OperationKind kind,
                                 const volatile void *object) {
    if (UNLIKELY(schedule_controlled))
      Begin(thr, pc, {kind, reinterpret_cast<uptr>(object)});
  }
  ALWAYS_INLINE ~VisibleOperation() { End(); }
  VisibleOperation(const VisibleOperation &) = delete;
  VisibleOperation &operator=(const VisibleOperation &) = delete;

  bool controlled() const { return thread_; }

  // Ends it before the end of the scope.
  ALWAYS_INLINE void End() {
    if (UNLIKELY(thread_ != nullptr))
      Finish();
  }

  // The operation has changed nothing: a failed attempt.
  void Unproductive();
  // It has loaded a value: a thread that loads the same over and over waits for
  // another.
  void Loaded(const volatile void *object, u64 value);
  // Though it could have stored, it has loaded only.
  void LoadedOnly(const volatile void *object, u64 value) {
    Unproductive();
    Loaded(object, value);
  }

  void Accessed(const AtomicAccess &access);

  // Lets others go on until the thread is woken and has its turn again. With
  // Outcome::kInterrupted, a signal is to be handled: end the operation, call
  // HandleSignals, and begin anew or fail with EINTR.
  Outcome Block(const WaitFor &wait);
  // Lets others go on, and returns when the thread has its turn again.
  void Pause();
  bool WakeOne(WaitKind kind, const volatile void *object, u32 bits = ~0u);
  u32 WakeAll(WaitKind kind, const volatile void *object);
  u32 Waiters(WaitKind kind, const volatile void *object) const;
  // Some go on waiting for another object. Returns how many.
  u32 Requeue(WaitKind kind, const volatile void *from, const volatile void *to, u32 most);

  // To be asked at a cancellation point: whether the thread has been cancelled, and
  // is to act upon it. See heddle_cancel.h. True once.
  bool Cancelled();

  // Who holds a lock, for reports of deadlocks. As often as it is locked.
  void Hold(const volatile void *lock);
  void LetGo(const volatile void *lock);
  bool IsHeld(const volatile void *lock) const; // by a thread of the schedule

  // Time, in nanoseconds, as the program sees it: see heddle_time.h.
  void Sleep(u64 nanoseconds);
  void LookAtClock();

protected:
  void FinishAtomic();

private:
  void Begin(__tsan::ThreadState *thr, uptr pc, const Operation &operation);
  void Finish();

  ControlledThread *thread_ = nullptr;
};

// Some thread has asked to be cancelled at once.
extern bool async_cancels;
// Ends the thread if it is to be cancelled at once. See heddle_cancel.h.
void ActOnAsyncCancel(__tsan::ThreadState *thr);

// Around an operation and all that is done about it: asynchronous cancellation is acted upon when
// that is over.
class AsyncCancelPoint {
public:
  ALWAYS_INLINE explicit AsyncCancelPoint(__tsan::ThreadState *thr) : thr_(thr) {}
  ALWAYS_INLINE ~AsyncCancelPoint() {
    if (UNLIKELY(async_cancels))
      ActOnAsyncCancel(thr_);
  }
  AsyncCancelPoint(const AsyncCancelPoint &) = delete;
  AsyncCancelPoint &operator=(const AsyncCancelPoint &) = delete;

private:
  __tsan::ThreadState *thr_;
};

// An atomic operation, which is such a point itself: there is nothing around it.
class AtomicOperation : public VisibleOperation {
public:
  using VisibleOperation::VisibleOperation;
  ALWAYS_INLINE ~AtomicOperation() {
    if (UNLIKELY(controlled()))
      FinishAtomic();
  }
};

// A call that may block in the kernel: the thread is away until the end, and
// others go on. What it does there is not ordered with what they do.
//
// With kInCall, and if there is a demo, it is away in the call of heddle_inputs.inc only that
// is made in the scope: what interceptors do before and after it belongs to the operations of
// leaving and of coming back, and has its place among those of others in a replay, too.
//
// A call with a limit gives up by itself after so many nanoseconds. If it did, that much logical
// time has passed, in a replay too.
class AwayFromSchedule {
public:
  enum When : u8 { kAtOnce, kInCall };
  static constexpr u64 kNoLimit = ~0ull;

  ALWAYS_INLINE explicit AwayFromSchedule(__tsan::ThreadState *thr, When when = kAtOnce,
                                          u64 limit = kNoLimit) {
    if (UNLIKELY(schedule_controlled))
      Leave(thr, when, limit);
  }
  ALWAYS_INLINE ~AwayFromSchedule() {
    if (UNLIKELY(thread_ != nullptr))
      Return();
  }

  void GaveUp();

private:
  void Leave(__tsan::ThreadState *thr, When when, u64 limit);
  void Return();

  ControlledThread *thread_ = nullptr;
};

// From heddle_layout.h.
void PrepareLayout();

//===-- The life of threads -----------------------------------------------===//

// A new thread, to be called by its creator within a VisibleOperation; nullptr if
// that is not controlled. The thread itself calls ThreadBegins first of all; until then it has
// blocked signals (sanitizer_common's BlockSignals), and from then on those of `signals`. It has
// blocked them again when it has come to its end: see ThreadIsAboutToEnd.
ControlledThread *NewThread(__tsan::ThreadState *creator, VisibleOperation &visible);
void DiscardThread(ControlledThread *thread); // it could not be created
void ThreadBegins(__tsan::ThreadState *thr, ControlledThread *thread,
                  __sanitizer::__sanitizer_sigset_t &signals);
// It waits for its turn to do so, and has no signal left to handle. May be left out.
void ThreadIsAboutToEnd(__tsan::ThreadState *thr);
// False if no other thread is left: then it has not ended, and is to end the process.
bool ThreadEnds(__tsan::ThreadState *thr);

// The thread with this pthread_t that nobody has joined, and that has not ended
// detached; or nullptr.
ControlledThread *FindThread(uptr handle);
void SetHandle(ControlledThread *thread, uptr handle, bool detached);
void ForgetHandle(ControlledThread *thread);
void SetDetached(ControlledThread *thread);
bool IsDetached(const ControlledThread *thread);
ThreadId IdOf(const ControlledThread *thread);
bool HasEnded(const ControlledThread *thread); // within a VisibleOperation
// The thread waits for the end of another; null: it goes on. Within a VisibleOperation.
void Await(__tsan::ThreadState *thr, const ControlledThread *awaited);

// A fork: the turn is taken before it, when the program's own handlers have run, and
// passed on after it in the parent. The child has one thread, which has the turn.
void BeforeFork(__tsan::ThreadState *thr);
void AfterFork(__tsan::ThreadState *thr, bool child);
// The same in a child for which no handler was called: it has no schedule.
void ForkedByCall(__tsan::ThreadState *thr);
void NotForked(__tsan::ThreadState *thr); // of a group of processes: there is no child after all

// Another program is executed in the place of this one: no other thread gets a turn meanwhile. The
// second if that fails. Of a group of processes, this one goes on without the schedule then.
void BeforeExec(__tsan::ThreadState *thr);
void AfterExec(__tsan::ThreadState *thr);
// It has started a process that is not in the schedule.
void StartsOther();

// The process ends: no other thread gets a turn from now on.
void TakeTurnForGood(__tsan::ThreadState *thr);

//===-- Time --------------------------------------------------------------===//

// Logical nanoseconds since the start. Within a VisibleOperation.
u64 LogicalNow();
// Whether sleeps take no time, and clocks show logical time.
bool TimeIsLogical();

//===-- Reports -----------------------------------------------------------===//

// What a report says besides: stale reads of its threads, and the schedule.
void PrintReportNotes(const __tsan::ReportDesc *report);
// The same when the program fails by itself, once.
void PrintFailureNotes(const char *what, uptr pc = 0);
// Which schedule this is, and how to repeat it. Nothing if there is none.
void PrintScheduleNote();

} // namespace __heddle

#endif // HEDDLE_RTL_CONTROL_H
