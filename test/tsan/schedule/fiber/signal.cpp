// A signal is the thread's, and not the fiber's: one that has come is handled before the switch, and
// one that is sent to a thread reaches it in whichever fiber it is.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: %every_schedule %t | %FileCheck %s
// RUN: %record_and_play %t | %FileCheck %s
// CHECK: 100 handled
#include "fiber.h"
#include "heddle_test.h"
#include <signal.h>

static std::atomic<int> handled;

static void Handle(int) { handled.fetch_add(1); }

static void *Run(void *argument) {
  Fiber *fiber = nullptr;
  fiber = new Fiber([&] {
    for (;;)
      fiber->Yield();
  });
  while (handled.load() < 100) {
    fiber->Resume();
    sched_yield();
  }
  delete fiber;
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = Handle;
  sigaction(SIGUSR1, &action, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, Run, nullptr);
  for (int i = 0; i < 100; i++) {
    pthread_kill(thread, SIGUSR1);
    while (handled.load() <= i)
      sched_yield();
  }
  pthread_join(thread, nullptr);
  printf("%d handled\n", handled.load());
}
