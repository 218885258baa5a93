//===-- heddle_ompt.h - The interface of OpenMP's tools -------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What heddle_openmp*.cpp use of OMPT (OpenMP 5.1, chapter 4), by the standard's numbers, with
// names of ours. Compilers need not have omp-tools.h.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_OMPT_H
#define HEDDLE_RTL_OMPT_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle::ompt {

union Data {
  u64 value;
  void *pointer;
};

enum Event : int {
  kParallelBegin = 3,
  kTaskCreate = 5,
  kTaskSchedule = 6,
  kImplicitTask = 7,
  kSyncRegionWait = 16,
  kMutexReleased = 17,
  kDependences = 18,
  kSyncRegion = 23,
  kMutexAcquire = 26,
  kMutexAcquired = 27,
  kFlush = 29,
  kReduction = 31,
  kDispatch = 32,
};

enum Endpoint : int { kBegin = 1, kEnd = 2, kBeginAndEnd = 3 };

enum SyncRegion : int { kTaskwait = 5, kTaskgroup = 6, kReductionRegion = 7 }; // others: barriers

enum Mutex : int {
  kLock = 1,
  kTestLock = 2,
  kNestableLock = 3,
  kTestNestableLock = 4,
  kCritical = 5,
  kAtomic = 6,
  kOrdered = 7
};

enum TaskStatus : int {
  kComplete = 1,
  kYield = 2,
  kCancel = 3,
  kDetach = 4,
  kEarlyFulfill = 5,
  kLateFulfill = 6,
  kSwitch = 7,
  kTaskwaitComplete = 8
};

enum TaskFlag : int { kInitialTask = 1, kImplicit = 2, kTaskwaitTask = 16 };

enum DependenceType : int {
  kIn = 1,
  kOut = 2,
  kInout = 3,
  kMutexInoutset = 4,
  kSource = 5,
  kSink = 6,
  kInoutset = 7,
  kOutAllMemory = 34,
  kInoutAllMemory = 35
};

struct Dependence {
  Data variable;
  DependenceType type;
};

using Function = void (*)();
using Lookup = Function (*)(const char *name);
using SetCallback = int (*)(Event event, Function callback);
using GetTaskMemory = int (*)(void **address, __sanitizer::uptr *size, int block);

struct Tool {
  int (*initialize)(Lookup lookup, int device, Data *data);
  void (*finalize)(Data *data);
  Data data;
};

} // namespace __heddle::ompt

#endif // HEDDLE_RTL_OMPT_H
