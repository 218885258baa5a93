//===-- heddle_schedule_log.cpp - The choices of a run, in a file ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_schedule_log.h"

#include "heddle/choice/choice_log.h"
#include "heddle/choice/replayer.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_own_files.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_placement_new.h"

using namespace __sanitizer;

namespace __heddle {
namespace {

using Log = ChoiceLog<RuntimeMemory>;

Log *log_to_save;
fd_t file = kInvalidFd;

void Stop(void *, const Divergence &divergence) {
  char text[256];
  FormatDivergence(divergence, text, sizeof(text));
  Printf("ERROR: ThreadSanitizer: this run is not the one in the log. At tick %llu, %s. The "
         "program, its "
         "input or its options may have changed since.\n",
         control->scheduler().Ticks(), text);
  FlushTrace();
  Die();
}

} // namespace

ChoiceRecorder *RecordSchedule(const char *path) {
  file = CreateOwnFile("schedule_log", path); // now, to say so if it cannot be done
  alignas(Log) static char log[sizeof(Log)];
  alignas(LogRecorder<RuntimeMemory>) static char recorder[sizeof(LogRecorder<RuntimeMemory>)];
  log_to_save = new (log) Log;
  return new (recorder) LogRecorder<RuntimeMemory>(*log_to_save);
}

void SaveScheduleLog() {
  if (file == kInvalidFd)
    return;
  Log::Bytes bytes;
  log_to_save->Serialize(bytes);
  if (WriteOwnFile(file, bytes.Data(), bytes.Size()))
    Printf("WARNING: ThreadSanitizer: schedule_log: the log could not be written.\n");
  CloseOwnDescriptor(file);
  file = kInvalidFd;
}

Chooser *ReplaySchedule(const char *path) {
  char *bytes = nullptr;
  uptr mapped = 0, size = 0;
  if (!path[0] || !ReadFileToBuffer(path, &bytes, &mapped, &size, 1 << 30)) {
    Printf("ERROR: ThreadSanitizer: schedule=replay needs the log of an earlier run: "
           "schedule_log=FILE. Cannot read '%s'.\n",
           path);
    Die();
  }
  LogFile log;
  LogStatus status = CheckLogFile(reinterpret_cast<const u8 *>(bytes), size, log);
  if (!status.Ok()) {
    Printf("ERROR: ThreadSanitizer: %s, byte %zu: %s\n", path, status.offset,
           ExplainLogError(status.error));
    Die();
  }
  Replayer::Settings settings;
  settings.handler = Stop;
  alignas(Replayer) static char memory[sizeof(Replayer)];
  return new (memory) Replayer(log.entries, settings);
}

} // namespace __heddle
