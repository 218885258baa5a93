// What the programs of this directory have in common: how they are run, and how an execution fails.
//
//   PROGRAM      one execution, under the schedule of the process
//   PROGRAM N    N executions of heddle::Explore; HEDDLE_EXPLORE says which. The last line of its
//                output has the number of executions, of those that failed, and the first seed of
//                these.
//
// The heads of the programs argue with [atomics.order] of C++20. Let A and B be operations on one
// atomic object. A is coherence-ordered before B (paragraph 3), written A => B, if B reads A's
// value, or A precedes B in modification order, or A reads a value that is older than B, or by
// several of these in a row. S is a total order of all seq_cst operations. If one of them strongly
// happens before another, it precedes the other in S; and if A => B (paragraph 4), then
//
//   4.1  A precedes B in S, if both are seq_cst;
//   4.2  A precedes Y in S, if A is seq_cst and B happens before a seq_cst fence Y;
//   4.3  X precedes B in S, if a seq_cst fence X happens before A and B is seq_cst;
//   4.4  X precedes Y in S, if a seq_cst fence X happens before A, and B before a seq_cst fence Y.
//
// One lemma carries most of the programs. Two threads each store and then load what the other
// stores, and a seq_cst fence lies between the two operations, X in one thread and Y in the other.
// A load misses a store if load => store. If both loads miss, then 4.4 puts X before Y for one
// load, and Y before X for the other: impossible. The fence need not be in the thread of the store:
// it is enough that the store happens before the fence, and the fence before the load. C++11 asked
// for "sequenced before" there.

#ifndef HEDDLE_BENCHMARKS_FENCES_TWIN_H
#define HEDDLE_BENCHMARKS_FENCES_TWIN_H

#include <sanitizer/heddle_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>

namespace twin {

inline bool failed = false;

// An expectation that does not hold must not end the program: the next execution begins in it.
// Threads that fail at the same time are no data race, so this is not instrumented.
__attribute__((no_sanitize("thread"), noinline)) inline void Expect(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "Expectation failed: %s\n", what);
  failed = true;
}

// Runs each function in a thread of its own, and waits for all of them.
template <class... Functions> void RunTogether(Functions... functions) {
  std::thread threads[] = {std::thread(functions)...};
  for (std::thread &thread : threads)
    thread.join();
}

inline int Main(int argc, char **argv, void (*execute)()) {
  if (argc < 2) {
    execute();
    return failed ? 1 : 0;
  }
  heddle::Options options;
  options.executions = strtoull(argv[1], nullptr, 10);
  options.seed = 1;
  options.go_on = true;
  options.failed = [] { return failed; };
  const heddle::Result result = heddle::Explore(options, [&] {
    failed = false; // nobody asks after an execution with a report
    execute();
  });
  printf("%llu %llu %llu\n", (unsigned long long)result.executions,
         (unsigned long long)result.failed, (unsigned long long)result.seed);
  return result ? 0 : 1;
}

} // namespace twin

#endif
