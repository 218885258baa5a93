// With one_at_a_time=1 threads do not run in parallel between their operations, so that accesses
// which race come in the same order each time. A thread that is stuck outside of the schedule
// stops nobody.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play --options one_at_a_time=1 %t | %FileCheck %s
#include "heddle_test.h"
#include <atomic>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

constexpr int kRounds = 200, kAccesses = 100;

// Not instrumented: nothing is reported, and the schedule does not see it.
#define UNSEEN __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation, noinline))

static volatile unsigned shared = 1;
static std::atomic<int> operations;

UNSEEN static void Change(unsigned who) {
  for (int i = 0; i < kAccesses; i++)
    shared = shared * 31 + who;
}

static void Work(unsigned who) {
  for (int i = 0; i < kRounds; i++) {
    Change(who);
    operations++;
  }
}

static int ends[2];
UNSEEN static long Unseen(long number, long fd, void *data, long size) {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(fd), "S"(data), "d"(size)
               : "rcx", "r11", "memory");
  return result;
}

int main() {
  std::thread a(Work, 1), b(Work, 2);
  a.join();
  b.join();
  printf("%u\n", shared);
  // CHECK: {{^[0-9]+$}}

  // The reader waits where nobody sees it, for a thread that has yet to have its turn.
  int answer = 0;
  Unseen(SYS_pipe, reinterpret_cast<long>(ends), nullptr, 0);
  std::atomic<bool> begun{false};
  std::thread reader([&] {
    begun = true;
    char byte = 0;
    answer = Unseen(SYS_read, ends[0], &byte, 1);
  });
  std::thread writer([&] {
    while (!begun)
      std::this_thread::yield();
    Unseen(SYS_write, ends[1], const_cast<char *>("x"), 1);
  });
  reader.join();
  writer.join();
  printf("read %d\n", answer);
  // CHECK-NEXT: read 1
}
