//===-- statistics.h - What executions have shown, across processes -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file of this layout, shared by all processes that map it, with statistics_file=N
// (an open descriptor) and statistics_slot=I of each execution. A hunt reads how long
// an execution was, and whether it showed anything that none before it had: a pair of
// a load and the store it read, or an order of operations.
//
// The maps are sets of hashes, a bit for each, as in a Bloom filter with one hash: what
// is new may be taken for known, seldom, and never the other way round. Places in the
// program are hashed relative to the runtime in it, so that they are the same in each
// process.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SERVER_STATISTICS_H
#define HEDDLE_SERVER_STATISTICS_H

#include "heddle/choice/types.h"

namespace __heddle {

constexpr u32 kStatisticsMagic = 0x5344'4548; // "HEDS"
constexpr u32 kStatisticsVersion = 1;         // changes with the layout

// Of one execution. Written when it ends, also by a report that ends it or a crash.
struct ExecutionStatistics {
  u64 seed;
  u64 threads;
  u64 operations;     // visible ones, since the first thread was created
  u64 communications; // of those: what schedule_events= is for pctwm
  u64 loads;          // that an engine of the memory model has answered
  u64 stale_reads;    // of those, that did not read the newest store
  u64 switches;       // an operation followed one of another thread
  u64 preemptions;    // of those, where the other thread could have gone on
  u64 reports;
  u64 schedule;       // a hash of which thread did what in which order
  u64 new_reads_from; // pairs of load and store that no execution had had
  u64 new_schedule;   // 1 if no execution had that schedule
  u64 complete;       // 1: all of the above is written
};

struct SharedStatistics {
  static constexpr u32 kSlots = 256;
  static constexpr u32 kMapBits = 1 << 20;

  u32 magic;
  u32 version;
  ExecutionStatistics executions[kSlots];
  u32 reads_from[kMapBits / 32];
  u32 schedules[kMapBits / 32];
};

} // namespace __heddle

#endif // HEDDLE_SERVER_STATISTICS_H
