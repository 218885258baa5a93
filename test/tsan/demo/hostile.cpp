// Demos with good checksums that no recording writes: what they would run, write or take they do not.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %t | %FileCheck %s --check-prefix=PLAYED
// PLAYED: played
//
// Flags are those of a schedule.
// RUN: %python %S/../Inputs/forge-demo %t.demo %t.flag set flags "schedule=random seed=1 execution_file=%t.canary"
// RUN: env TSAN_OPTIONS=play_demo=%t.flag %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=FLAG
// FLAG: ERROR: ThreadSanitizer: play_demo: {{.*}}/META sets a flag that a demo may not set
// RUN: test ! -e %t.canary
//
// It says with which build it was recorded.
// RUN: %python %S/../Inputs/forge-demo %t.demo %t.build remove build
// RUN: env TSAN_OPTIONS=play_demo=%t.build %expect_exit 67 %t 2>&1 | %FileCheck %s --check-prefix=BUILD
// BUILD: ERROR: ThreadSanitizer: play_demo: the demo does not say with which build of the program it was recorded.
#include "heddle_test.h"
#include <stdlib.h>
#include <thread>

int main() {
  std::thread([] {}).join();
  for (const char *name : {"LD_BIND_NOW", "MY_TOKEN"}) {
    const char *value = getenv(name);
    printf("%s %s\n", name, value ? value : "(null)");
  }
  printf("played\n");
}
