//===-- heddle_schedule_log.h - The choices of a run, in a file -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// schedule_log=FILE writes every choice of the schedule to a file when the program
// ends, by itself or by a report; schedule=replay reads it and repeats the run. A
// run that asks something else than was recorded stops with a message.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_SCHEDULE_LOG_H
#define HEDDLE_RTL_SCHEDULE_LOG_H

#include "heddle/choice/choice_stream.h"

namespace __heddle {

// The recorder for a log that SaveScheduleLog() will write to the file.
ChoiceRecorder *RecordSchedule(const char *path);
void SaveScheduleLog();

// The chooser that repeats what is in the file. Stops the program if there is none.
Chooser *ReplaySchedule(const char *path);

} // namespace __heddle

#endif // HEDDLE_RTL_SCHEDULE_LOG_H
