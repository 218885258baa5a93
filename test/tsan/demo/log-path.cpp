// The file that log_path= names takes no number from the program: a replay that writes its
// reports elsewhere than the recording, or the other way round, opens what the recording opened.
//
// RUN: %clangxx_heddle %s -o %t && rm -rf %t.first %t.second %t.log.*
// RUN: env TSAN_OPTIONS="exitcode=0 schedule=random record_demo=%t.first log_path=%t.log" %t > %t.out
// RUN: grep -q 'data race' %t.log.* && rm %t.log.*
// RUN: env TSAN_OPTIONS="exitcode=0 play_demo=%t.first" %t 2> %t.err | diff %t.out -
// RUN: grep -q 'data race' %t.err
// RUN: env TSAN_OPTIONS="exitcode=0 schedule=random record_demo=%t.second" %t > %t.out 2> %t.err
// RUN: env TSAN_OPTIONS="exitcode=0 play_demo=%t.second log_path=%t.log" %t | diff %t.out -
// RUN: grep -q 'data race' %t.log.* && rm %t.log.*
//
// A report that the recording did not have is no call of the thread's.
// RUN: rm -rf %t.third
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.third report_bugs=0" %t > %t.out 2> %t.err
// RUN: not grep -q 'data race' %t.err
// RUN: env TSAN_OPTIONS="exitcode=0 play_demo=%t.third" %t 2> %t.err | diff %t.out -
// RUN: grep -q 'data race' %t.err
//
// Nor does it without a demo, with a seed.
// RUN: env TSAN_OPTIONS="exitcode=0 schedule=random seed=1 log_path=%t.log" %t | diff %t.out -
// RUN: %FileCheck %s < %t.out
#include "heddle_test.h"
#include <thread>
#include <unistd.h>

static int shared;

int main() {
  printf("before %d\n", dup(1));
  std::thread first([] { shared = 1, getpid(); });
  std::thread second([] { shared = 2, getpid(); });
  first.join();
  second.join();
  EXPECT(shared != 0);
  printf("after %d\n", dup(1));
}
// CHECK: before [[#N:]]
// CHECK-NEXT: after [[#N+1]]
