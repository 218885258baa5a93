//===-- heddle_openmp_tasks.cpp - Tasks of OpenMP -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What comes before a task and after it, and who executes it.
//
// A thread that waits for tasks (taskwait, the end of a taskgroup, dependences of a taskwait or of
// a task that is not deferred) looks for some to execute. The runtime does that in a loop without a
// call: others would go on when a time slice is over, and how often the loop had looked by then,
// and at whose tasks, would depend on time. So under a schedule the thread waits here, in the event
// that comes before the runtime's loop, until all it waits for has ended: it executes a task as
// taskyield does, and yields if there is none. The runtime's loop finds nothing left to wait for.
//
// For that the tasks that have yet to end are counted as the runtime counts them. It does so
// when the event of a task's end is over; as threads run one at a time from one operation to the
// next, a thread that waits sees both or neither, if ours comes after the last operation in the
// event.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_openmp_impl.h"

#include <dlfcn.h>
#include <sched.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle::openmp {

// A variable that children of a task depend on.
struct Variable {
  const void *address;
  Variable *next;
  Moment in = 0, out = 0, set = 0;
  // By what it is to a task: it reads it, writes it, excludes others from it, is one of a set.
  Unfinished ins = {}, outs = {}, exclusives = {}, sets = {};
  atomic_uint32_t taken = {}; // by one that excludes others

  Unfinished &Tasks(ompt::DependenceType type) {
    switch (type) {
    case ompt::kIn:
      return ins;
    case ompt::kMutexInoutset:
      return exclusives;
    case ompt::kInoutset:
      return sets;
    default:
      return outs;
    }
  }
};

struct Needed {
  Variable *variable; // null: all memory
  ompt::DependenceType type;
};

namespace {

ompt::GetTaskMemory task_memory;
// The runtime's: executes a task, if there is one.
int (*task_yield)(void *location, int thread, int end_part);
int (*thread_number)(void *location);

//===-- Waiting -----------------------------------------------------------===//

// Whether the thread has executed a task.
bool ExecuteOne(Task *task) {
  const u32 before = task->left;
  task_yield(nullptr, thread_number(nullptr), 0);
  return task->left != before;
}

// In a team of one the runtime alone knows what is to be done.
bool WaitsHere(const Task *task) {
  return task_yield && task->team->threads > 1 && IsControlled(cur_thread_init());
}

template <class Any> void ExecuteWhile(Task *task, const Any &any) {
  if (!WaitsHere(task))
    return;
  // Others may be first.
  VisibleOperation(cur_thread(), GET_CURRENT_PC(), OperationKind::kAcquire, &task->children);
  while (any())
    if (!ExecuteOne(task))
      sched_yield();
}

bool MustAwait(Task *parent, const Needed &need) {
  if (parent->all_unfinished.Any())
    return true;
  if (!need.variable)
    return parent->needy_unfinished.Any();
  const Variable &variable = *need.variable;
  const bool others = variable.outs.Any() || variable.exclusives.Any();
  switch (need.type) {
  case ompt::kIn:
    return others || variable.sets.Any();
  case ompt::kInoutset:
    return others || variable.ins.Any();
  default:
    return others || variable.sets.Any() || variable.ins.Any();
  }
}

void AwaitTasks(Task *waits) {
  Task *parent = waits->parent;
  ExecuteWhile(parent, [&] {
    for (u32 i = 0; i < waits->needs_count; i++)
      if (MustAwait(parent, waits->needs[i]))
        return true;
    return false;
  });
}

//===-- Dependences -------------------------------------------------------===//

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

// Calls with each variable from which the task excludes others.
template <class Visit> void ForEachExclusive(Task *task, const Visit &visit) {
  for (u32 i = 0; i < task->needs_count; i++)
    if (task->needs[i].variable && task->needs[i].type == ompt::kMutexInoutset)
      visit(*task->needs[i].variable);
}

// The runtime lets the next one begin before it tells us that the last one has ended: that one is
// about to say so.
void TakeExclusives(Task *task) {
  ForEachExclusive(task, [](Variable &variable) {
    while (atomic_exchange(&variable.taken, 1, memory_order_acquire))
      sched_yield();
  });
  task->excludes = true;
}

void LetExclusivesGo(Task *task) {
  if (!task->excludes)
    return;
  task->excludes = false;
  ForEachExclusive(task, [](Variable &variable) {
    Happens(&variable.out);
    atomic_store(&variable.taken, 0, memory_order_release);
  });
}

Variable *FindVariable(Task *parent, const void *address) {
  for (Variable *each = parent->variables; each; each = each->next)
    if (each->address == address)
      return each;
  return parent->variables = Make<Variable>(address, parent->variables);
}

//===-- Counting ----------------------------------------------------------===//

void CountNeeds(Task *task, void (Unfinished::*count)()) {
  if (!task->needs_count)
    return;
  (task->parent->needy_unfinished.*count)();
  for (u32 i = 0; i < task->needs_count; i++) {
    const Needed &need = task->needs[i];
    Unfinished &tasks =
        need.variable ? need.variable->Tasks(need.type) : task->parent->all_unfinished;
    (tasks.*count)();
  }
}

// No operation may come after it before the runtime knows the same.
void HasEnded(Task *task) {
  CountNeeds(task, &Unfinished::Remove);
  task->parent->unfinished.Remove();
  if (task->group)
    task->group->tasks.Remove();
  Drop(task);
}

//===-- The life of a task ------------------------------------------------===//

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

void Ends(Task *task) {
  FulfilNeeds(task);
  LetExclusivesGo(task);
  Happens(&task->team->barrier[task->implicit->barrier]);
  Happens(&task->parent->children);
  if (task->group)
    Happens(&task->group->end);
}

void GoesOn(Task *task) {
  HappensAfter(&task->creation);
  if (task->begun || !task->needs)
    return;
  task->begun = true;
  TakeExclusives(task);
  AwaitNeeds(task);
}

} // namespace

void FindTaskFunctions(ompt::Lookup lookup) {
  task_memory = reinterpret_cast<ompt::GetTaskMemory>(lookup("ompt_get_task_memory"));
  if (!schedule_controlled)
    return;
  const auto find = [](auto &function, const char *name) {
    function = reinterpret_cast<decltype(+function)>(dlsym(RTLD_DEFAULT, name));
  };
  find(thread_number, "__kmpc_global_thread_num");
  if (thread_number)
    find(task_yield, "__kmpc_omp_taskyield");
}

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

void TaskIsCreated(ompt::Data *creator, const void *, ompt::Data *data, int flags, int,
                   const void *) {
  Task *parent = TaskOf(creator);
  if (!parent || (flags & (ompt::kInitialTask | ompt::kImplicit)))
    return;
  atomic_fetch_add(&parent->users, 1, memory_order_relaxed);
  Task *task = Make<Task>(parent->team, parent, parent->implicit, parent->group);
  data->pointer = task;
  if (flags & ompt::kTaskwaitTask) {
    task->waits = true;
    return;
  }
  parent->unfinished.Add();
  if (task->group)
    task->group->tasks.Add();
  Happens(&task->creation);
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
  if (!task->waits)
    return CountNeeds(task, &Unfinished::Add);
  // The runtime has one such place in each thread, and a task that is executed here may need it.
  data->pointer = nullptr;
  AwaitTasks(task);
  data->pointer = task;
}

void TaskIsScheduled(ompt::Data *prior, ompt::TaskStatus status, ompt::Data *next) {
  Task *from = TaskOf(prior), *to = TaskOf(next), *ended = nullptr;
  const bool is_task = from && from->parent;
  switch (status) {
  case ompt::kEarlyFulfill:
    if (from)
      Happens(&from->creation);
    return;
  case ompt::kLateFulfill:
    if (is_task) {
      HappensAfter(&from->creation);
      Ends(from);
      HasEnded(from);
    }
    return;
  case ompt::kTaskwaitComplete:
    if (is_task) {
      AwaitNeeds(from);
      Drop(from);
    }
    return;
  case ompt::kComplete:
  case ompt::kCancel:
    if (is_task) {
      ForgetTaskMemory();
      Ends(from);
      ended = from;
    }
    break;
  case ompt::kDetach:
    if (is_task)
      LetExclusivesGo(from);
    [[fallthrough]];
  case ompt::kYield:
  case ompt::kSwitch:
    if (from) {
      from->left++;
      Happens(&from->creation);
    }
    break;
  }
  if (to)
    GoesOn(to);
  if (ended)
    HasEnded(ended);
}

//===-- taskwait and taskgroup --------------------------------------------===//

void AwaitChildren(Task *task) {
  ExecuteWhile(task, [task] { return task->unfinished.Any(); });
}

void ChildrenAreAwaited(Task *task) { HappensAfter(&task->children); }

void GroupBegins(Task *task) { task->group = Make<Group>(task->group); }

void AwaitGroup(Task *task) {
  if (Group *group = task->group)
    ExecuteWhile(task, [group] { return group->tasks.Any(); });
}

void GroupIsAwaited(Task *task) {
  if (task->group)
    HappensAfter(&task->group->end);
}

void GroupEnds(Task *task) {
  Group *group = task->group;
  if (!group)
    return;
  task->group = group->outer;
  Destroy(group);
  // The runtime notes in a task whether it is in such a wait, as the sign of a number that each
  // wait turns about at its end, and so has the wait of taskyield that was inside. Of an implicit
  // task it would say at the next barrier which tasks the thread may execute. One more sets it
  // right.
  if (task == task->implicit && WaitsHere(task))
    ExecuteOne(task);
}

} // namespace __heddle::openmp
