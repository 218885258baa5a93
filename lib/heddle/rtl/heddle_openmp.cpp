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
// condition variables, which are the scheduler's. What is left of its loops yields, but for two:
// see heddle_openmp_tasks.cpp for waits for tasks, and Control::SleepWithOpenMp for the other.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_openmp.h"

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_modules.h"
#include "heddle/rtl/heddle_openmp_impl.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_flags.h"

#include <stdlib.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;

extern "C" void __tsan_atomic_thread_fence(int order);

namespace __heddle {

uptr openmp_code, openmp_code_size;

namespace openmp {
namespace {

//===-- Regions -----------------------------------------------------------===//

void ParallelBegins(ompt::Data *, const void *, ompt::Data *region, unsigned, int, const void *) {
  Team *team = Make<Team>();
  team->primary = u32(cur_thread()->tid);
  region->pointer = team;
  Happens(&team->fork);
}

// Not at the event of the region's end: the runtime tells of that when it has let go of what it
// has for the team, `region` among it, and another thread may be using that for a region of its
// own.
void RegionEnds(Team *team) {
  for (Moment &barrier : team->barrier)
    HappensAfter(&barrier);
  Destroy(team);
}

void ImplicitTask(ompt::Endpoint endpoint, ompt::Data *region, ompt::Data *data, unsigned threads,
                  unsigned, int flags) {
  if (endpoint == ompt::kEnd) {
    Task *task = TaskOf(data);
    if (!task)
      return;
    data->pointer = nullptr;
    if (flags & ompt::kInitialTask)
      Destroy(task->team);
    else if (task->team_primary)
      RegionEnds(task->team);
    return Drop(task);
  }
  if (flags & ompt::kInitialTask)
    region->pointer = Make<Team>();
  Team *team = TeamOf(region);
  team->threads = threads;
  Task *task = Make<Task>(team);
  task->implicit = task;
  task->team_primary = team->primary == u32(cur_thread()->tid);
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
  case ompt::kReductionRegion:
    break;
  case ompt::kTaskgroup:
    if (endpoint == ompt::kBegin)
      GroupBegins(task);
    else
      GroupEnds(task);
    break;
  default:
    Barrier(task, endpoint, region != nullptr);
  }
}

void Wait(ompt::SyncRegion kind, ompt::Endpoint endpoint, ompt::Data *, ompt::Data *data,
          const void *) {
  Task *task = TaskOf(data);
  if (!task)
    return;
  const bool begins = endpoint == ompt::kBegin;
  if (kind == ompt::kTaskwait)
    begins ? AwaitChildren(task) : ChildrenAreAwaited(task);
  else if (kind == ompt::kTaskgroup)
    begins ? AwaitGroup(task) : GroupIsAwaited(task);
}

// A thread has got iterations of a loop, or a section. Who gets the next is the schedule's to say.
void WorkIsGiven(ompt::Data *region, ompt::Data *, int, ompt::Data) {
  if (Team *team = TeamOf(region))
    VisibleOperation(cur_thread_init(), GET_CURRENT_PC(), OperationKind::kRmw, &team->work);
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

//===-- The tool ----------------------------------------------------------===//

// How the runtime's threads wait, whatever the environment says: for as long as it reads its
// settings.
struct Setting {
  const char *name, *value; // null: not set
  char *before;
};

Setting settings[] = {{"KMP_BLOCKTIME", "0", nullptr},
                      {"OMP_WAIT_POLICY", "passive", nullptr},
                      {"KMP_LIBRARY", nullptr, nullptr}, // overrides the policy
                      {"KMP_USE_YIELD", "1", nullptr}};

void Set(const char *name, const char *value) {
  if (value)
    setenv(name, value, /*replace=*/1);
  else
    unsetenv(name);
}

void ChangeSettings() {
  for (Setting &setting : settings) {
    const char *before = getenv(setting.name);
    setting.before = before ? internal_strdup(before) : nullptr;
    Set(setting.name, setting.value);
  }
}

void RestoreSettings() {
  for (Setting &setting : settings) {
    Set(setting.name, setting.before);
    InternalFree(setting.before);
  }
}

// The runtime leaves a file with its process's number, so that another copy of it in the process is
// noticed. That of a process that was killed stays, and is looked at by the next one of that
// number, in a replay the recorded one: then it would not do what it did in the recording.
void ForgetOldProcess() {
  char path[64];
  internal_snprintf(path, sizeof(path), "/dev/shm/__KMP_REGISTERED_LIB_%d_%d", int(getpid()),
                    int(getuid()));
  internal_unlink(path);
}

int Initialise(ompt::Lookup lookup, int, ompt::Data *) {
  if (schedule_controlled)
    RestoreSettings();
  const auto set = reinterpret_cast<ompt::SetCallback>(lookup("ompt_set_callback"));
  if (!set)
    return 0;
  FindTaskFunctions(lookup);
  const auto on = [set](ompt::Event event, auto *callback) {
    set(event, reinterpret_cast<ompt::Function>(callback));
  };
  on(ompt::kParallelBegin, ParallelBegins);
  on(ompt::kImplicitTask, ImplicitTask);
  on(ompt::kSyncRegion, SynchronisationRegion);
  on(ompt::kSyncRegionWait, Wait);
  on(ompt::kReduction, Reduction);
  on(ompt::kFlush, Flush);
  on(ompt::kTaskCreate, TaskIsCreated);
  on(ompt::kTaskSchedule, TaskIsScheduled);
  on(ompt::kDependences, Dependences);
  on(ompt::kMutexAcquire, MutexIsAwaited);
  on(ompt::kMutexAcquired, MutexIsTaken);
  on(ompt::kMutexReleased, MutexIsLetGo);
  if (schedule_controlled)
    on(ompt::kDispatch, WorkIsGiven);
  return 1;
}

void Finalise(ompt::Data *) {}

ompt::Tool tool = {Initialise, Finalise, {}};

} // namespace
} // namespace openmp

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
  const bool first = !openmp_code_size; // copy of it in this process
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
  if (schedule_controlled) {
    openmp::ChangeSettings();
    if (first)
      openmp::ForgetOldProcess();
  }
  return &openmp::tool;
}
