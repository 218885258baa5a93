//===-- heddle_openmp.cpp - Programs that use OpenMP ----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's OpenMP runtime is not instrumented, and its threads meet by atomic operations that nobody
// sees. But it tells a tool what it does (OMPT, OpenMP 5.1, chapter 4), and we are that tool. It
// finds us by our name, ompt_start_tool; a program that has a tool of its own keeps that one.
//
// What is ordered, as the standard says (OpenMP 5.1, 1.4.6), is told to the race detector:
//
//   the beginning of a region     comes before each of its threads
//   what all did before a barrier comes before what each does after it; the end of a region is one
//   the creation of a task        comes before the task
//   the end of a task             comes before the end of the taskwait of its parent, of its
//                                 taskgroup, and of the next barrier of its team
//   a task                        comes before those that depend on it
//   the end of a critical or ordered region, or of a lock, comes before the next one's beginning
//
// Each of these is an operation of the schedule, like an annotation. Before a thread waits for a
// lock or a critical region of the runtime's it takes one of ours: so who is next is the schedule's
// to say, and nobody waits for the runtime's in a loop.
//
// The runtime combines reductions among threads, with code of the program: what it accesses there
// is ignored. So are accesses that the runtime makes by way of interceptors (memset and the like,
// seam openmp-accesses): its own order is not ours to know. A task's memory is another one's
// afterwards, and begins anew.
//
// Under a schedule its threads are told to sleep, and not to spin, when they wait: they sleep in
// condition variables, which are the scheduler's. What is left of its loops yields, or ends soon,
// or, where a thread waits for tasks that others execute, ends by the time slice.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_openmp.h"

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_modules.h"
#include "heddle/rtl/heddle_ompt.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "tsan_flags.h"
#include "tsan_mman.h"
#include "tsan_rtl.h"

#include <pthread.h>
#include <stdlib.h>

using namespace __sanitizer;
using namespace __tsan;

extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);
extern "C" void __tsan_atomic_thread_fence(int order);

namespace __heddle {

uptr openmp_code, openmp_code_size;

namespace {

// What is ordered is named by an address of the program's heap, as in its own annotations: what
// is known about it goes when it is freed.
using Moment = u64;

void Happens(Moment *before) { __tsan_release(before); }
void HappensAfter(Moment *moment) { __tsan_acquire(moment); }

// The objects themselves are passed on among threads by the runtime, out of sight.
class Ignored {
public:
  Ignored() : thr_(cur_thread_init()) { ThreadIgnoreBegin(thr_, 0); }
  ~Ignored() { ThreadIgnoreEnd(thr_); }

private:
  ThreadState *thr_;
};

void *Allocate(uptr size) {
  Ignored ignored;
  return user_alloc(cur_thread(), 0, size);
}

template <class T, class... Arguments> T *Make(Arguments... arguments) {
  return new (Allocate(sizeof(T))) T{arguments...};
}

template <class T> void Destroy(T *object) {
  Ignored ignored;
  user_free(cur_thread(), 0, object, /*signal=*/false);
}

struct Team {
  Moment fork = 0;
  // Used in turn: a thread may be at the next one while another has yet to leave the last.
  Moment barrier[2] = {};
  Moment doacross = 0;
};

struct Group {
  Group *outer;
  Moment end = 0;
};

// A variable that children of a task depend on.
struct Variable {
  const void *address;
  Variable *next;
  Moment in = 0, out = 0, set = 0;
};

struct Task;

struct Needed {
  Variable *variable; // null: all memory
  ompt::DependenceType type;
};

struct Task {
  Team *team;
  Task *parent;
  Task *implicit; // that it belongs to; itself, if it is one
  Group *group;
  u32 barrier = 0; // of an implicit one: which it comes to next
  atomic_uint32_t users = {1};
  Moment creation = 0, children = 0;
  // Of its children.
  Variable *variables = nullptr;
  Moment all_in = 0, all_out = 0;
  // Its own.
  Needed *needs = nullptr;
  u32 needs_count = 0;
};

ompt::GetTaskMemory task_memory;

Task *TaskOf(const ompt::Data *data) { return data ? static_cast<Task *>(data->pointer) : nullptr; }
Team *TeamOf(const ompt::Data *data) { return data ? static_cast<Team *>(data->pointer) : nullptr; }

void Drop(Task *task) {
  while (task && atomic_fetch_sub(&task->users, 1, memory_order_acq_rel) == 1) {
    while (Variable *variable = task->variables) {
      task->variables = variable->next;
      Destroy(variable);
    }
    if (task->needs)
      Destroy(task->needs);
    Task *parent = task->parent;
    Destroy(task);
    task = parent;
  }
}

//===-- Regions -----------------------------------------------------------===//

void ParallelBegins(ompt::Data *, const void *, ompt::Data *region, unsigned, int, const void *) {
  Team *team = Make<Team>();
  region->pointer = team;
  Happens(&team->fork);
}

void ParallelEnds(ompt::Data *region, ompt::Data *, int, const void *) {
  Team *team = TeamOf(region);
  if (!team)
    return;
  for (Moment &barrier : team->barrier)
    HappensAfter(&barrier);
  region->pointer = nullptr;
  Destroy(team);
}

void ImplicitTask(ompt::Endpoint endpoint, ompt::Data *region, ompt::Data *data, unsigned, unsigned,
                  int flags) {
  if (endpoint == ompt::kEnd) {
    Task *task = TaskOf(data);
    if (!task)
      return;
    data->pointer = nullptr;
    if (flags & ompt::kInitialTask)
      Destroy(task->team);
    return Drop(task);
  }
  if (flags & ompt::kInitialTask)
    region->pointer = Make<Team>();
  Team *team = TeamOf(region);
  Task *task = Make<Task>(team);
  task->implicit = task;
  data->pointer = task;
  HappensAfter(&team->fork);
}

//===-- Barriers and the like ---------------------------------------------===//

void Barrier(Task *task, ompt::Endpoint endpoint, bool in_region) {
  task = task->implicit;
  if (endpoint == ompt::kBegin)
    return Happens(&task->team->barrier[task->barrier]);
  // After the last one of a region there is none: the thread sleeps in it until the next region.
  if (in_region)
    HappensAfter(&task->team->barrier[task->barrier]);
  task->barrier ^= 1;
}

void SynchronisationRegion(ompt::SyncRegion kind, ompt::Endpoint endpoint, ompt::Data *region,
                           ompt::Data *data, const void *) {
  Task *task = TaskOf(data);
  if (!task)
    return;
  switch (kind) {
  case ompt::kTaskwait:
    if (endpoint != ompt::kBegin)
      HappensAfter(&task->children);
    break;
  case ompt::kTaskgroup:
    if (endpoint == ompt::kBegin) {
      task->group = Make<Group>(task->group);
    } else if (Group *group = task->group) {
      HappensAfter(&group->end);
      task->group = group->outer;
      Destroy(group);
    }
    break;
  case ompt::kReductionRegion:
    break;
  default:
    Barrier(task, endpoint, region != nullptr);
  }
}

void Reduction(ompt::SyncRegion, ompt::Endpoint endpoint, ompt::Data *, ompt::Data *,
               const void *) {
  ThreadState *thr = cur_thread_init();
  if (endpoint == ompt::kBegin)
    ThreadIgnoreBegin(thr, 0);
  else if (endpoint == ompt::kEnd)
    ThreadIgnoreEnd(thr);
}

void Flush(ompt::Data *, const void *) { __tsan_atomic_thread_fence(/*seq_cst*/ 5); }

//===-- Tasks -------------------------------------------------------------===//

void TaskIsCreated(ompt::Data *creator, const void *, ompt::Data *data, int flags, int,
                   const void *) {
  Task *parent = TaskOf(creator);
  if (!parent || (flags & (ompt::kInitialTask | ompt::kImplicit)))
    return;
  atomic_fetch_add(&parent->users, 1, memory_order_relaxed);
  Task *task = Make<Task>(parent->team, parent, parent->implicit, parent->group);
  data->pointer = task;
  Happens(&task->creation);
}

void AwaitNeeds(Task *task) {
  Task *parent = task->parent;
  if (task->needs_count)
    HappensAfter(&parent->all_out);
  for (u32 i = 0; i < task->needs_count; i++) {
    const Needed &need = task->needs[i];
    if (!need.variable) {
      HappensAfter(&parent->all_in);
      continue;
    }
    HappensAfter(&need.variable->out);
    if (need.type != ompt::kIn)
      HappensAfter(&need.variable->in);
    if (need.type != ompt::kInoutset)
      HappensAfter(&need.variable->set);
  }
}

void FulfilNeeds(Task *task) {
  Task *parent = task->parent;
  if (task->needs_count)
    Happens(&parent->all_in);
  for (u32 i = 0; i < task->needs_count; i++) {
    const Needed &need = task->needs[i];
    if (!need.variable)
      Happens(&parent->all_out);
    else
      Happens(need.type == ompt::kIn         ? &need.variable->in
              : need.type == ompt::kInoutset ? &need.variable->set
                                             : &need.variable->out);
  }
}

Variable *FindVariable(Task *parent, const void *address) {
  for (Variable *each = parent->variables; each; each = each->next)
    if (each->address == address)
      return each;
  return parent->variables = Make<Variable>(address, parent->variables);
}

// Of a task: what it needs, before it can begin. Its creator says so, so the variables are touched
// by one thread at a time. Of a loop that is ordered by its iterations: what an iteration has done,
// or waits for.
void Dependences(ompt::Data *data, const ompt::Dependence *dependences, int count) {
  Task *task = TaskOf(data);
  if (!task || count <= 0)
    return;
  if (dependences->type == ompt::kSource)
    return Happens(&task->team->doacross);
  if (dependences->type == ompt::kSink)
    return HappensAfter(&task->team->doacross);
  if (!task->parent || task->needs)
    return;
  task->needs = static_cast<Needed *>(Allocate(uptr(count) * sizeof(Needed)));
  for (int i = 0; i < count; i++) {
    const ompt::Dependence &each = dependences[i];
    const bool all = each.type == ompt::kOutAllMemory || each.type == ompt::kInoutAllMemory;
    task->needs[task->needs_count++] = {
        all ? nullptr : FindVariable(task->parent, each.variable.pointer), each.type};
  }
}

// What another task has next is no longer this one's.
void ForgetTaskMemory() {
  if (!task_memory)
    return;
  ThreadState *thr = cur_thread_init();
  int more = 1;
  for (int block = 0; more; block++) {
    void *address = nullptr;
    uptr size = 0;
    more = task_memory(&address, &size, block);
    if (size)
      MemoryResetRange(thr, 0, reinterpret_cast<uptr>(address), RoundUpTo(size, kShadowCell));
  }
}

void TaskEnds(Task *task) {
  if (!task->parent)
    return;
  FulfilNeeds(task);
  Happens(&task->team->barrier[task->implicit->barrier]);
  Happens(&task->parent->children);
  if (task->group)
    Happens(&task->group->end);
  Drop(task);
}

void TaskIsScheduled(ompt::Data *prior, ompt::TaskStatus status, ompt::Data *next) {
  Task *from = TaskOf(prior), *to = TaskOf(next);
  switch (status) {
  case ompt::kEarlyFulfill:
    if (from)
      Happens(&from->creation);
    return;
  case ompt::kLateFulfill:
    if (from) {
      HappensAfter(&from->creation);
      TaskEnds(from);
    }
    return;
  case ompt::kTaskwaitComplete:
    if (from && from->parent) {
      AwaitNeeds(from);
      Drop(from);
    }
    return;
  case ompt::kComplete:
  case ompt::kCancel:
    if (from && from->parent) {
      ForgetTaskMemory();
      TaskEnds(from);
    }
    break;
  case ompt::kDetach:
  case ompt::kYield:
  case ompt::kSwitch:
    if (from)
      Happens(&from->creation);
    break;
  }
  if (!to)
    return;
  HappensAfter(&to->creation);
  if (to->parent && to->needs)
    AwaitNeeds(to);
}

//===-- Mutual exclusion --------------------------------------------------===//

// Ours for one of the runtime's. They are few, and as many as there ever are.
//
// `entrance` is taken before the runtime's, under a schedule, by who is going to wait for it. Who
// only tests does not come by there, and may have the runtime's before the one that waits. `inside`
// is taken when the thread has the runtime's, and let go when it has let that go: so it is held by
// another for a moment at most.
struct Lock {
  u64 id;
  Lock *next;
  pthread_mutex_t entrance, inside;
  atomic_uint32_t enters, holder; // threads, by the race detector's number + 1
};

StaticSpinMutex locks_mutex;
Lock *locks[64];

Lock *LockOf(u64 id) {
  Lock *&first = locks[(id >> 3) % ARRAY_SIZE(locks)];
  const auto find = [&] {
    Lock *lock = first;
    while (lock && lock->id != id)
      lock = lock->next;
    return lock;
  };
  {
    SpinMutexLock lock(&locks_mutex);
    if (Lock *found = find())
      return found;
  }
  // Not under the lock: to allocate may take long.
  Lock *made = Make<Lock>(id);
  SpinMutexLock lock(&locks_mutex);
  if (Lock *found = find())
    return found; // the other is never used
  made->next = first;
  return first = made;
}

u32 Self() { return u32(cur_thread()->tid) + 1; }
bool Is(const atomic_uint32_t &thread, u32 self) { return atomic_load_relaxed(&thread) == self; }

void MutexIsAwaited(ompt::Mutex kind, unsigned, unsigned, u64 id, const void *) {
  if (!schedule_controlled || kind == ompt::kTestLock || kind == ompt::kTestNestableLock ||
      kind == ompt::kOrdered)
    return;
  Lock *lock = LockOf(id);
  const u32 self = Self();
  if (kind == ompt::kNestableLock && Is(lock->holder, self))
    return;
  pthread_mutex_lock(&lock->entrance);
  atomic_store_relaxed(&lock->enters, self);
}

void MutexIsTaken(ompt::Mutex, u64 id, const void *) {
  Lock *lock = LockOf(id);
  pthread_mutex_lock(&lock->inside);
  atomic_store_relaxed(&lock->holder, Self());
}

void MutexIsLetGo(ompt::Mutex, u64 id, const void *) {
  Lock *lock = LockOf(id);
  const u32 self = Self();
  if (Is(lock->holder, self)) {
    atomic_store_relaxed(&lock->holder, 0);
    pthread_mutex_unlock(&lock->inside);
  }
  if (Is(lock->enters, self)) {
    atomic_store_relaxed(&lock->enters, 0);
    pthread_mutex_unlock(&lock->entrance);
  }
}

//===-- The tool ----------------------------------------------------------===//

struct Setting {
  const char *name, *value;
  bool ours;
};

Setting settings[] = {{"KMP_BLOCKTIME", "0", false}, {"OMP_WAIT_POLICY", "passive", false}};

void SetDefaults() {
  for (Setting &setting : settings)
    if (!getenv(setting.name)) {
      setting.ours = true;
      setenv(setting.name, setting.value, 0);
    }
}

int Initialise(ompt::Lookup lookup, int, ompt::Data *) {
  for (const Setting &setting : settings)
    if (setting.ours)
      unsetenv(setting.name);
  const auto set = reinterpret_cast<ompt::SetCallback>(lookup("ompt_set_callback"));
  task_memory = reinterpret_cast<ompt::GetTaskMemory>(lookup("ompt_get_task_memory"));
  if (!set)
    return 0;
  const auto on = [set](ompt::Event event, auto *callback) {
    set(event, reinterpret_cast<ompt::Function>(callback));
  };
  on(ompt::kParallelBegin, ParallelBegins);
  on(ompt::kParallelEnd, ParallelEnds);
  on(ompt::kImplicitTask, ImplicitTask);
  on(ompt::kSyncRegion, SynchronisationRegion);
  on(ompt::kReduction, Reduction);
  on(ompt::kFlush, Flush);
  on(ompt::kTaskCreate, TaskIsCreated);
  on(ompt::kTaskSchedule, TaskIsScheduled);
  on(ompt::kDependences, Dependences);
  on(ompt::kMutexAcquire, MutexIsAwaited);
  on(ompt::kMutexAcquired, MutexIsTaken);
  on(ompt::kMutexReleased, MutexIsLetGo);
  return 1;
}

void Finalise(ompt::Data *) {}

ompt::Tool tool = {Initialise, Finalise, {}};

} // namespace

bool ProgramUsesOpenMp() {
  return AnyModule([](const dl_phdr_info &module) {
    return module.dlpi_name && (internal_strstr(module.dlpi_name, "/libomp") ||
                                internal_strstr(module.dlpi_name, "/libiomp"));
  });
}

} // namespace __heddle

using namespace __heddle;

// The runtime calls this before it reads its settings.
extern "C" SANITIZER_INTERFACE_ATTRIBUTE SANITIZER_WEAK_ATTRIBUTE ompt::Tool *
ompt_start_tool(unsigned, const char *) {
  if (!flags()->openmp)
    return nullptr;
  const uptr caller = GET_CALLER_PC();
  AnyModule([caller](const dl_phdr_info &module) {
    if (!IsUnseen(module) || !HasCode(module, caller))
      return false;
    for (int i = 0; i < module.dlpi_phnum; i++) {
      const ElfW(Phdr) &part = module.dlpi_phdr[i];
      if (part.p_type != PT_LOAD || !(part.p_flags & PF_X))
        continue;
      openmp_code = module.dlpi_addr + part.p_vaddr;
      openmp_code_size = part.p_memsz;
    }
    return true;
  });
  if (schedule_controlled)
    SetDefaults();
  return &tool;
}
