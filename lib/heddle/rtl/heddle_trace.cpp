//===-- heddle_trace.cpp - The schedule as text ---------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation a line: tick, thread, operation. Nothing in it depends on addresses,
// so two runs of the same schedule have the same trace.
//
//===----------------------------------------------------------------------===//

#include "heddle/choice/text.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_own_files.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_posix.h"

using namespace __sanitizer;

namespace __heddle {

bool tracing;

namespace {
fd_t file = kInvalidFd;
char buffer[1 << 16];
uptr used;
} // namespace

void OpenTrace(const char *path) {
  file = CreateOwnFile("schedule_trace", path);
  tracing = true;
  AddDieCallback(FlushTrace);
}

void FlushTrace() {
  if (!tracing)
    return;
  if (used && WriteOwnFile(file, buffer, used)) {
    tracing = false;
    Printf("WARNING: ThreadSanitizer: schedule_trace: the rest cannot be written.\n");
  }
  used = 0;
}

void AbandonTrace() {
  tracing = false;
  used = 0;
}

// By the thread whose turn it is.
void TraceOperation(u64 tick, ThreadId thread, OperationKind kind) {
  constexpr uptr kLongestLine = 80;
  if (used + kLongestLine > sizeof(buffer))
    FlushTrace();
  TextWriter text(buffer + used, sizeof(buffer) - used);
  text << tick << ' ' << thread << ' ' << NameOf(kind) << '\n';
  used += text.Length();
  // The next line may be another process's.
  if (UNLIKELY(processes_together))
    FlushTrace();
}

} // namespace __heddle
