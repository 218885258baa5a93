// What cannot be explored is refused, with what to do.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env HEDDLE_EXPLORE="seed=x" %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=SEED %s
// SEED: ERROR: ThreadSanitizer: heddle::Explore: seed must be a number in HEDDLE_EXPLORE, and not 'x'.
// RUN: env HEDDLE_EXPLORE="sed=1" %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=KEY %s
// KEY: HEDDLE_EXPLORE has no 'sed'. There are seed, executions,
// RUN: env HEDDLE_EXPLORE="1" %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=FORM %s
// FORM: HEDDLE_EXPLORE is made of key=value, and not of '1'.
// RUN: env HEDDLE_EXPLORE="strategy=queue" %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=QUEUE %s
// QUEUE: strategy queue depends on time
// RUN: env HEDDLE_EXPLORE="strategy=none" %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=STRATEGY %s
// STRATEGY: schedule must be one of random
// RUN: env HEDDLE_EXPLORE="weak_memory=tso" %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=WEAK %s
// WEAK: weak_memory must be one of off buffer mograph, and not 'tso'.
// RUN: env TSAN_OPTIONS=weak_memory=buffer %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=ALL %s
// ALL: weak_memory= without schedule=
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=buffer" HEDDLE_EXPLORE=weak_memory=off %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=OTHER %s
// OTHER: weak_memory is off here, and buffer in TSAN_OPTIONS
// RUN: env TSAN_OPTIONS="schedule=random schedule_log=%t.log" %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=LOG %s
// LOG: does not go with schedule_log=
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random record_demo=%t.demo" %expect_exit 66 %t 2>&1 | %FileCheck --check-prefix=DEMO %s
// DEMO: does not go with record_demo=
// RUN: env TSAN_OPTIONS="schedule=random" %expect_exit 66 %t thread 2>&1 | %FileCheck --check-prefix=THREADS %s
// THREADS: 1 other threads run under schedule=
// RUN: %expect_exit 66 %t nested 2>&1 | %FileCheck --check-prefix=NESTED %s
// NESTED: there is one going on already
// RUN: %expect_clean %t thread
#include <sanitizer/heddle_interface.h>
#include <string.h>
#include <thread>
#include <unistd.h>

int main(int argc, char **argv) {
  heddle::Options options;
  options.executions = 2;
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "nested"))
    heddle::Explore(options, [&] { heddle::Explore(options, [] {}); });
  int ends[2];
  if (pipe(ends))
    return 1;
  std::thread other;
  if (!strcmp(what, "thread"))
    other = std::thread([&] {
      char byte;
      while (read(ends[0], &byte, 1) != 1)
        ;
    });
  heddle::Explore(options, [] {});
  if (write(ends[1], "x", 1) != 1)
    return 1;
  if (other.joinable())
    other.join();
}
