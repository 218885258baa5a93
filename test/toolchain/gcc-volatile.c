// REQUIRES: gcc

// g++ and gcc tell volatile accesses apart when asked to, with the same entry
// points as clang; without the parameter they are plain accesses.
// RUN: gcc -O1 -g -Wall -Werror -fsanitize=thread --param tsan-distinguish-volatile=1 -c %s -o %t.o
// RUN: %nm %t.o | %FileCheck --check-prefix=CALLS %s
// RUN: %heddle-clang -Werror -fsanitize=thread %t.o -o %t
// RUN: %expect_race %t 2>&1 | %FileCheck %s
// CALLS: U __tsan_volatile_read1
// CALLS: U __tsan_volatile_read2
// CALLS: U __tsan_volatile_read4
// CALLS: U __tsan_volatile_read8
// CALLS: U __tsan_volatile_write1
// CALLS: U __tsan_volatile_write8
// CHECK: sum 15
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK: Location is global 'plain'

// RUN: gcc -O1 -g -Wall -Werror -fsanitize=thread -c %s -o %t.o
// RUN: %nm %t.o | not grep __tsan_volatile
#include <pthread.h>
#include <stdio.h>

volatile unsigned char one;
volatile unsigned short two;
volatile unsigned int four;
volatile unsigned long eight;
int plain __attribute__((aligned(8)));
static int done __attribute__((aligned(8))); // apart: see gcc-fences.cpp

static void *Thread(void *arg) {
  plain = 1;
  __atomic_store_n(&done, 1, __ATOMIC_RELAXED);
  return arg;
}

int main(void) {
  one = 1, two = 2, four = 4, eight = 8;
  printf("sum %lu\n", one + two + four + eight);
  fflush(stdout);
  pthread_t thread;
  pthread_create(&thread, 0, Thread, 0);
  while (!__atomic_load_n(&done, __ATOMIC_RELAXED)) {
  }
  plain = 2;
  pthread_join(thread, 0);
  return 0;
}
