// Demos that cannot be played: the message says why, and the exit code is 67.
//
// RUN: %clangxx_heddle %s -o %t.one && %clangxx_heddle -DOTHER %s -o %t.other
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t.one > %t.recorded
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %t.one > %t.played && diff %t.recorded %t.played
//
// Another build: both are named.
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %expect_exit 67 %t.other 2>&1 | %FileCheck %s --check-prefix=BUILD
// BUILD: ERROR: ThreadSanitizer: play_demo: the demo was recorded with build {{[0-9a-f]+}} of the program, and this is build {{[0-9a-f]+}}.
// BUILD: force_demo=1
//
// If it is to be, the first difference.
// RUN: env TSAN_OPTIONS="play_demo=%t.demo force_demo=1" %expect_exit 67 %t.other 2>&1 | %FileCheck %s --check-prefix=FORCED
// FORCED: WARNING: ThreadSanitizer: play_demo: the demo was recorded with build
// FORCED: ERROR: ThreadSanitizer: this run is not the recorded one any more. At tick {{[0-9]+}} the demo
// FORCED-SAME: says: thread T0 calls getrandom, but it calls getentropy.
// FORCED: In thread T0:
// FORCED: main {{.*}}refused.cpp
//
// No demo, no directory, no schedule, both at once.
// RUN: rm -rf %t.empty && mkdir %t.empty
// RUN: env TSAN_OPTIONS=play_demo=%t.empty %expect_exit 67 %t.one 2>&1 | %FileCheck %s --check-prefix=EMPTY
// EMPTY: ERROR: ThreadSanitizer: play_demo: cannot read {{.*}}/META. Name a directory that record_demo has written.
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.one/demo" %expect_exit 66 %t.one 2>&1 | %FileCheck %s --check-prefix=DIRECTORY
// DIRECTORY: ERROR: ThreadSanitizer: record_demo: cannot create {{.*}}/demo
// RUN: env TSAN_OPTIONS="record_demo=%t.new" %expect_exit 66 %t.one 2>&1 | %FileCheck %s --check-prefix=SCHEDULE
// SCHEDULE: ERROR: ThreadSanitizer: record_demo needs a schedule
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.new play_demo=%t.demo" %expect_exit 66 %t.one 2>&1 | %FileCheck %s --check-prefix=BOTH
// BOTH: ERROR: ThreadSanitizer: record_demo and play_demo exclude each other
#include "heddle_test.h"
#include <sys/random.h>
#include <unistd.h>

int main() {
  unsigned random = 0;
#ifdef OTHER
  getentropy(&random, sizeof(random));
#else
  getrandom(&random, sizeof(random), 0);
#endif
  printf("%u\n", random);
}
