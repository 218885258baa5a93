// A hundred thousand signals: from a thread to another, to itself, and from a timer that expires
// all the time; handlers that send others, and handlers that jump out.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play %t other | %FileCheck %s
// RUN: %record_and_play %t self | %FileCheck %s
// RUN: %record_and_play %t timer | %FileCheck %s
// RUN: %record_and_play %t nested | %FileCheck %s
// RUN: %record_and_play %t jump | %FileCheck %s
#include "heddle_test.h"
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <thread>
#include <time.h>

static atomic<int> handled, inner;
static sigjmp_buf back;
static atomic<bool> may_jump;

static void Count(int) { handled++; }
static void CountInner(int) { inner++; }
static void SendAnother(int) {
  handled++;
  raise(SIGUSR2);
}
static void Jump(int) {
  handled++;
  if (may_jump.exchange(false))
    siglongjmp(back, 1);
}

static void Handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  EXPECT(!sigaction(signal, &action, nullptr));
}

static void Expire(int microseconds) {
  const itimerval time = {{0, microseconds}, {0, microseconds}};
  EXPECT(!setitimer(ITIMER_REAL, &time, nullptr));
}

// Out of a loop, a sleep, and a wait for a thread.
static void JumpOut() {
  for (volatile int i = 0; i < 12; i++) {
    if (!sigsetjmp(back, 1)) {
      may_jump = true;
      while (i % 2 == 0)
        handled.load();
      for (const timespec hour = {3600, 0};;)
        nanosleep(&hour, nullptr);
    }
  }
}

int main(int, char **arguments) {
  const auto is = [&](const char *name) { return !strcmp(arguments[1], name); };
  constexpr int kMany = 100000;
  Handle(SIGUSR1, Count);
  Handle(SIGUSR2, CountInner);
  Handle(SIGALRM, is("nested") ? SendAnother : is("jump") ? Jump : Count);
  const pthread_t main_thread = pthread_self();
  if (is("other")) {
    std::thread sender([&] {
      for (int i = 0; i < kMany; i++)
        EXPECT(!pthread_kill(main_thread, SIGUSR1));
    });
    sender.join();
  } else if (is("self")) {
    for (int i = 0; i < kMany; i++)
      EXPECT(!raise(SIGUSR1));
    EXPECT(handled == kMany);
  } else if (is("jump")) {
    Expire(500);
    JumpOut();
  } else {
    Expire(20);
    std::thread waiter([] {
      while (handled < 500)
        sched_yield();
    });
    while (handled < 500)
      inner.load();
    waiter.join();
  }
  Expire(0);
  printf("%d signals, %d inner\n", handled.load(), inner.load());
}
// CHECK: {{[1-9][0-9]*}} signals
