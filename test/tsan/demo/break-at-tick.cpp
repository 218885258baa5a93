// break_at_tick stops a replay, or any run under a schedule, before the operation of that tick.
//
// RUN: %clangxx_heddle %s -o %t && rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo schedule_trace=%t.trace" %t
// RUN: env TSAN_OPTIONS="play_demo=%t.demo break_at_tick=20" %t | %FileCheck %s
// RUN: grep "^20 1 " %t.trace
// CHECK: stopped before 16
#include "heddle_test.h"
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

// Plain: nobody else looks at it.
static int count;
static std::atomic<int> x;

static void Stopped(int) {
  char text[32];
  write(1, text, snprintf(text, sizeof(text), "stopped before %d\n", count));
  _exit(0);
}

static void *Thread(void *) {
  for (int i = 0; i < 100; i++) {
    count = i;
    x.fetch_add(1);
  }
  return nullptr;
}

int main() {
  signal(SIGTRAP, Stopped);
  pthread_t thread;
  pthread_create(&thread, nullptr, Thread, nullptr);
  pthread_join(thread, nullptr);
}
