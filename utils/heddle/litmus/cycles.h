// Random litmus tests that have a shape: each grows from a cycle.
//
// What a memory model forbids is, nearly always, that the events of a cycle each
// come before the next: by program order within a thread, and from thread to thread
// because one reads or overwrites what the other wrote, or overwrites what the
// other read. diy makes tests of the cycles that it is told. Here the cycle is
// random, and then something is added, since some rules take more than a cycle:
//
// - Each thread begins at the location where the one before it ended, and the first
//   begins where the last one ended. At least one of the two events there writes,
//   so that reads-from, from-read or coherence may lead from one to the other. Which
//   of them it is need not be said: all states of a program are compared.
// - Within a thread, an event follows another at the same location or not, with a
//   fence between them or not.
// - Any event may be a read-modify-write. That of a thread with no other event is
//   one often: it continues release sequences from thread to thread.
// - An event has each of its orders equally often, but half of the fences are
//   seq_cst.
// - The additions: a relaxed flag from one thread to another, which tells what was
//   executed before and orders nothing; one more event, mostly one that writes,
//   anywhere or in a thread of its own.
//
// There are no ifs and no dependencies: none of the models here orders anything
// by them beyond sb and rf. RandomProgram has them.
#ifndef HEDDLE_LITMUS_CYCLES_H
#define HEDDLE_LITMUS_CYCLES_H

#include "program.h"

#include <cstdint>

namespace heddle::litmus {

struct CycleParameters {
  int max_events = 7;  // of all threads, fences included; at least 2
  int max_threads = 4; // at least 2
  int max_locations = 3;
};

// The same program for the same seed and parameters, on any machine. Every
// location is written, and touched by two threads. All registers and locations
// are observed.
Program CycleProgram(uint64_t seed, const CycleParameters &parameters);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_CYCLES_H
