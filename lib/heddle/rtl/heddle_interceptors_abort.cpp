//===-- heddle_interceptors_abort.cpp - When the program fails by itself --===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A failed assertion, an abort or a crash is a finding like a race: it comes with
// the same notes about how it came about, and with what repeats it. The program ends
// as it would without.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_demo.h"
#include "heddle/rtl/heddle_execution.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_schedule_log.h"
#include "heddle/rtl/heddle_stale_reads.h"
#include "heddle/rtl/heddle_statistics.h"
#include "heddle/rtl/heddle_weak_memory.h"
#include "sanitizer_common/sanitizer_common.h"

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace __heddle {

namespace {

// Whose failure the notes are about: the first one's. The others wait until they are written, or
// the process would end meanwhile.
enum FailureNotes : u32 { kNone, kBeingWritten, kWritten };
atomic_uint32_t failure_notes;
Tid failed_thread = kInvalidTid;

bool MayWriteNotes() {
  u32 none = kNone;
  if (atomic_compare_exchange_strong(&failure_notes, &none, kBeingWritten, memory_order_acquire)) {
    failed_thread = cur_thread()->tid;
    return true;
  }
  // An assertion ends in abort, which may end in a signal: all by one thread.
  while (failed_thread != cur_thread()->tid &&
         atomic_load(&failure_notes, memory_order_acquire) == kBeingWritten)
    internal_usleep(1000);
  return false;
}

} // namespace

void PrintFailureNotes(const char *what, uptr pc) {
  if ((!schedule_controlled && !weak_memory) || !MayWriteNotes())
    return;
  ScopedIgnoreInterceptors ignore;
  FlushDemo(/*last=*/true); // nobody is told of the end of a process that a signal ends
  Printf("ThreadSanitizer: %s in thread T%d (pid=%d)\n", what, cur_thread()->tid,
         int(internal_getpid()));
  if (UNLIKELY(writes_execution))
    WriteReport(cur_thread(), pc, what, nullptr);
  CutExecution();
  PrintAllStaleReads();
  PrintScheduleNote();
  EndStatistics();
  if (schedule_controlled) {
    FlushTrace();
    SaveScheduleLog();
  }
  atomic_store(&failure_notes, kWritten, memory_order_release);
}

} // namespace __heddle

// The last operation of the program, as at an exit: what others did after it could be neither
// repeated nor told from what came before.
static void FailNow(const char *what, uptr pc) {
  if (schedule_controlled)
    TakeTurnForGood(cur_thread());
  PrintFailureNotes(what, pc);
}

HEDDLE_NEW_INTERCEPTOR(void, abort, (), ()) {
  FailNow("abort", GET_CALLER_PC());
  __interceptor_abort();
}

HEDDLE_NEW_INTERCEPTOR(void, __assert_fail,
                       (const char *assertion, const char *file, unsigned line,
                        const char *function),
                       (assertion, file, line, function)) {
  FailNow("failed assertion", GET_CALLER_PC());
  __interceptor___assert_fail(assertion, file, line, function);
}
