//===-- demo_flags.h - The flags that a demo may set ----------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A demo comes from anywhere, and its flags become those of the run that plays it. So
// they are a list: those that decide who runs when, what is read, and what is a race.
// None of them names a file. A recording writes these, and a replay takes no others.
//
// In META they are words "flag=value", one space between them. A value has letters,
// digits, '_', '.', '+' and '-' alone, so that there is nothing to quote.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_DEMO_DEMO_FLAGS_H
#define HEDDLE_DEMO_DEMO_FLAGS_H

#include "heddle/choice/types.h"

namespace __heddle {

// In the order in which they are written, after schedule and seed, which are always there.
#define HEDDLE_DEMO_PARAMETERS(PARAMETER)                                                          \
  PARAMETER(schedule_depth)                                                                        \
  PARAMETER(schedule_events)                                                                       \
  PARAMETER(history_depth)                                                                         \
  PARAMETER(switch_probability)                                                                    \
  PARAMETER(time_slice_ms)                                                                         \
  PARAMETER(livelock_ticks)                                                                        \
  PARAMETER(real_sleep)                                                                            \
  PARAMETER(one_at_a_time)                                                                         \
  PARAMETER(openmp)                                                                                \
  PARAMETER(processes)                                                                             \
  PARAMETER(record_rdtsc)                                                                          \
  PARAMETER(rdtsc)                                                                                 \
  PARAMETER(weak_memory)                                                                           \
  PARAMETER(store_history)                                                                         \
  PARAMETER(prune)                                                                                 \
  PARAMETER(prune_window)                                                                          \
  PARAMETER(read_policy)                                                                           \
  PARAMETER(exact_happens_before)                                                                  \
  PARAMETER(release_sequence)                                                                      \
  PARAMETER(seq_cst)                                                                               \
  PARAMETER(volatile_order)                                                                        \
  PARAMETER(force_seq_cst_atomics)

#define HEDDLE_DEMO_FLAGS(FLAG)                                                                    \
  FLAG(schedule)                                                                                   \
  FLAG(seed)                                                                                       \
  HEDDLE_DEMO_PARAMETERS(FLAG)

// Whether the first `length` bytes are the name of such a flag.
bool IsDemoFlag(const char *name, uptr length);

// The first word that is no such flag with a value, or null if there is none.
const char *FindForeignFlag(const char *flags);

} // namespace __heddle

#endif // HEDDLE_DEMO_DEMO_FLAGS_H
