//===-- heddle_openmp_impl.h - What the tool of OpenMP knows --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What heddle_openmp*.cpp share: teams and tasks, and what is called at which event.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_OPENMP_IMPL_H
#define HEDDLE_RTL_OPENMP_IMPL_H

#include "heddle/rtl/heddle_ompt.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_mman.h"
#include "tsan_rtl.h"

extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);

namespace __heddle::openmp {

// What is ordered is named by an address of the program's heap, as in its own annotations: what
// is known about it goes when it is freed.
using Moment = u64;

inline void Happens(Moment *before) { __tsan_release(before); }
inline void HappensAfter(Moment *moment) { __tsan_acquire(moment); }

// The objects themselves are passed on among threads by the runtime, out of sight.
class Ignored {
public:
  Ignored() : thr_(__tsan::cur_thread_init()) { ThreadIgnoreBegin(thr_, 0); }
  ~Ignored() { ThreadIgnoreEnd(thr_); }

private:
  __tsan::ThreadState *thr_;
};

inline void *Allocate(__sanitizer::uptr size) {
  Ignored ignored;
  return __tsan::user_alloc(__tsan::cur_thread(), 0, size);
}

template <class T, class... Arguments> T *Make(Arguments... arguments) {
  return new (Allocate(sizeof(T))) T{arguments...};
}

template <class T> void Destroy(T *object) {
  Ignored ignored;
  __tsan::user_free(__tsan::cur_thread(), 0, object, /*signal=*/false);
}

// How many tasks of some kind have yet to end.
class Unfinished {
public:
  void Add() { atomic_fetch_add(&tasks_, 1, __sanitizer::memory_order_relaxed); }
  void Remove() { atomic_fetch_sub(&tasks_, 1, __sanitizer::memory_order_relaxed); }
  bool Any() const { return __sanitizer::atomic_load_relaxed(&tasks_); }

private:
  __sanitizer::atomic_uint32_t tasks_ = {};
};

struct Team {
  Moment fork = 0;
  // Used in turn: a thread may be at the next one while another has yet to leave the last.
  Moment barrier[2] = {};
  Moment doacross = 0;
  Moment work = 0;
  u32 threads = 1;
  u32 primary = ~0u; // the thread that has come to the region, by the race detector's number
};

struct Group {
  Group *outer;
  Moment end = 0;
  Unfinished tasks = {};
};

struct Variable;
struct Needed;

struct Task {
  Team *team;
  Task *parent;
  Task *implicit; // that it belongs to; itself, if it is one
  Group *group;
  bool waits = false; // it is a taskwait with dependences, and has no code
  // Of an implicit one: it is that of the team's primary thread, and the barrier that it comes to
  // next.
  bool team_primary = false;
  u32 barrier = 0;
  __sanitizer::atomic_uint32_t users = {1};
  u32 left = 0; // how often its thread has gone over to another task
  Moment creation = 0, children = 0;
  // Of its children.
  Unfinished unfinished = {}, all_unfinished = {}, needy_unfinished = {};
  Variable *variables = nullptr;
  Moment all_in = 0, all_out = 0;
  // Its own.
  Needed *needs = nullptr;
  u32 needs_count = 0;
  bool begun = false;
  bool excludes = false; // others, for now: see ompt::kMutexInoutset
};

inline Task *TaskOf(const ompt::Data *data) {
  return data ? static_cast<Task *>(data->pointer) : nullptr;
}
inline Team *TeamOf(const ompt::Data *data) {
  return data ? static_cast<Team *>(data->pointer) : nullptr;
}

void Drop(Task *task);

// heddle_openmp_tasks.cpp
void FindTaskFunctions(ompt::Lookup lookup);
void TaskIsCreated(ompt::Data *creator, const void *, ompt::Data *data, int flags, int,
                   const void *);
void Dependences(ompt::Data *data, const ompt::Dependence *dependences, int count);
void TaskIsScheduled(ompt::Data *prior, ompt::TaskStatus status, ompt::Data *next);
// A taskwait and a taskgroup: before the runtime waits, and when it has. A group ends later, when
// the runtime has combined its reductions.
void AwaitChildren(Task *task);
void ChildrenAreAwaited(Task *task);
void GroupBegins(Task *task);
void AwaitGroup(Task *task);
void GroupIsAwaited(Task *task);
void GroupEnds(Task *task);

// heddle_openmp_locks.cpp
void MutexIsAwaited(ompt::Mutex kind, unsigned, unsigned, u64 id, const void *);
void MutexIsTaken(ompt::Mutex, u64 id, const void *);
void MutexIsLetGo(ompt::Mutex, u64 id, const void *);

} // namespace __heddle::openmp

#endif // HEDDLE_RTL_OPENMP_IMPL_H
