// A timer's signals in all that a thread can be doing when one comes: it yields, computes, waits
// for another thread, sleeps, or is in a call. Each is handled in a replay where it was in the
// recording, and as long as one is to come, a thread that waits for it is in no livelock.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play %t yield create join | %FileCheck %s
// RUN: %record_and_play %t yield interval join restart | %FileCheck %s
// RUN: %record_and_play %t yield interval compute | %FileCheck %s
// RUN: %record_and_play %t lock interval lock restart | %FileCheck %s
// RUN: %record_and_play %t yield interval condition | %FileCheck %s
// RUN: %record_and_play %t yield interval semaphore | %FileCheck %s
// RUN: %record_and_play %t yield interval futex | %FileCheck %s
// RUN: %record_and_play %t yield create sleep | %FileCheck %s
// RUN: %record_and_play %t yield interval pause | %FileCheck %s
// RUN: %record_and_play %t yield create suspend | %FileCheck %s
// RUN: %record_and_play %t yield interval poll | %FileCheck %s
#include "heddle_test.h"
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <thread>
#include <time.h>
#include <unistd.h>

constexpr int kSignals = 20;
static atomic<int> handled;
static atomic<unsigned> order;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int ends[2];
static atomic<int> loops;
static atomic<bool> done;
static long interrupted;

static void Handle(int, siginfo_t *info, void *) {
  order = order * 31 + info->si_code;
  handled++;
}

static void StartTimer(bool create) {
  constexpr int kPeriod = 1000; // microseconds
  if (!create) {
    const itimerval often = {{0, kPeriod}, {0, kPeriod}};
    EXPECT(!setitimer(ITIMER_REAL, &often, nullptr));
    return;
  }
  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGALRM;
  timer_t timer;
  const itimerspec often = {{0, kPeriod * 1000}, {0, kPeriod * 1000}};
  EXPECT(!timer_create(CLOCK_MONOTONIC, &event, &timer) &&
         !timer_settime(timer, 0, &often, nullptr));
}

static void Do(const char *what) {
  const auto is = [what](const char *name) { return !strcmp(what, name); };
  if (is("compute"))
    loops++;
  if (is("lock") || is("condition")) {
    pthread_mutex_lock(&mutex);
    if (is("condition"))
      interrupted += pthread_cond_wait(&condition, &mutex);
    else
      sched_yield();
    pthread_mutex_unlock(&mutex);
  }
  if (is("semaphore"))
    interrupted += sem_wait(&semaphore) && errno == EINTR;
  if (is("futex")) {
    static int word;
    interrupted += syscall(SYS_futex, &word, FUTEX_WAIT, 0, nullptr, nullptr, 0) && errno == EINTR;
  }
  if (is("sleep")) {
    const timespec time = {0, 5000000};
    interrupted += nanosleep(&time, nullptr) && errno == EINTR;
  }
  if (is("pause"))
    interrupted += pause() && errno == EINTR;
  if (is("suspend")) {
    sigset_t none;
    sigemptyset(&none);
    interrupted += sigsuspend(&none) && errno == EINTR;
  }
  if (is("poll")) {
    pollfd file = {ends[0], POLLIN, 0};
    interrupted += poll(&file, 1, 5) < 0 && errno == EINTR;
  }
  order = order * 7 + unsigned(interrupted);
}

int main(int count, char **arguments) {
  const char *other_does = arguments[1], *what = arguments[3];
  const bool suspends = !strcmp(what, "suspend");
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO | (count > 4 ? SA_RESTART : 0);
  EXPECT(!sigaction(SIGALRM, &action, nullptr));
  EXPECT(!pipe(ends));
  sem_init(&semaphore, 0, 0);
  std::thread other([&] {
    if (suspends) {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_SETMASK, &all, nullptr);
    }
    for (; handled < kSignals; loops++) {
      sched_yield();
      if (!strcmp(other_does, "lock"))
        Do(other_does);
    }
    // Whoever still waits goes on.
    while (!done && strcmp(what, "join")) {
      pthread_mutex_lock(&mutex);
      pthread_cond_broadcast(&condition);
      pthread_mutex_unlock(&mutex);
      sem_post(&semaphore);
      sched_yield();
    }
  });
  if (suspends) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
  }
  StartTimer(!strcmp(arguments[2], "create"));
  while (handled < kSignals && strcmp(what, "join"))
    Do(what);
  done = true;
  other.join();
  printf("%s: %d signals, %d loops, %ld times, %u\n", what, handled.load(), loops.load(),
         interrupted, order.load());
}
// CHECK: {{[2-9][0-9]+}} signals
