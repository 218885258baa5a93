// A timer's signals while threads begin and end. The system gives them to the thread that is being
// created, more often than not: its handler must not run before the thread is in the schedule, nor
// after it has left, where no demo can say when.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play --seeds 3 %t joined | %FileCheck %s
// RUN: %record_and_play --seeds 3 %t detached | %FileCheck %s
// RUN: %record_and_play --seeds 2 %t attributes | %FileCheck %s
#include "heddle_test.h"
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <thread>

static atomic<int> handled, ended;
static atomic<unsigned> order;

static void Handle(int) { handled++; }

static void Mix(unsigned what) { order = order * 31 + what; }

static void *Run(void *) {
  for (int i = 0; i < 5; i++)
    Mix(handled);
  ended++;
  return nullptr;
}

// The thread blocks the signal from its beginning: its attributes say so.
static void *RunBlocked(void *) {
  sigset_t blocked;
  EXPECT(!pthread_sigmask(SIG_SETMASK, nullptr, &blocked));
  EXPECT(sigismember(&blocked, SIGALRM) && !sigismember(&blocked, SIGUSR1));
  return Run(nullptr);
}

static void CreateBlocked() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_attr_t attributes;
  EXPECT(!pthread_attr_init(&attributes) && !pthread_attr_setsigmask_np(&attributes, &set));
  pthread_t thread;
  EXPECT(!pthread_create(&thread, &attributes, RunBlocked, nullptr));
  EXPECT(!pthread_join(thread, nullptr));
  sigset_t after;
  EXPECT(!pthread_attr_getsigmask_np(&attributes, &after) && sigismember(&after, SIGALRM) &&
         !sigismember(&after, SIGUSR1));
  EXPECT(!pthread_attr_destroy(&attributes));
}

int main(int, char **arguments) {
  const char *how = arguments[1];
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = SA_RESTART;
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  const itimerval often = {{0, 300}, {0, 300}}, never = {};
  EXPECT(!setitimer(ITIMER_REAL, &often, nullptr));
  constexpr int kThreads = 40;
  for (int i = 0; i < kThreads; i++) {
    if (!strcmp(how, "attributes")) {
      CreateBlocked();
      continue;
    }
    std::thread thread([] { Run(nullptr); });
    if (!strcmp(how, "joined"))
      thread.join();
    else
      thread.detach();
  }
  while (handled < 5 || ended < kThreads)
    sched_yield();
  EXPECT(!setitimer(ITIMER_REAL, &never, nullptr));
  printf("%d signals, %u\n", handled.load(), order.load());
}
// CHECK: {{[0-9]+}} signals
