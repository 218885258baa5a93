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

void PrintFailureNotes(const char *what) {
  static atomic_uint32_t printed; // an assertion ends in abort, which may end in a signal
  if ((!schedule_controlled && !weak_memory) || atomic_exchange(&printed, 1, memory_order_relaxed))
    return;
  ScopedIgnoreInterceptors ignore;
  Printf("ThreadSanitizer: %s in thread T%d (pid=%d)\n", what, cur_thread()->tid,
         int(internal_getpid()));
  PrintAllStaleReads();
  PrintScheduleNote();
  EndStatistics();
  if (schedule_controlled) {
    FlushTrace();
    SaveScheduleLog();
  }
}

} // namespace __heddle

HEDDLE_NEW_INTERCEPTOR(void, abort, (), ()) {
  PrintFailureNotes("abort");
  __interceptor_abort();
}

HEDDLE_NEW_INTERCEPTOR(void, __assert_fail,
                       (const char *assertion, const char *file, unsigned line,
                        const char *function),
                       (assertion, file, line, function)) {
  PrintFailureNotes("failed assertion");
  __interceptor___assert_fail(assertion, file, line, function);
}
