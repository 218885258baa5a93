// A signal handler with atomics and fences, that comes between the atomics and fences of the code
// that it interrupts, on the same objects. An alarm ends the program if it hangs.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"
#include <signal.h>
#include <unistd.h>

const int kThreads = 2, kSignals = 100;

atomic<int> handled, started, x, y;
atomic<bool> stop;
pthread_t threads[kThreads];

static void Work(int value) {
  x.fetch_add(1, relaxed);
  atomic_thread_fence(release);
  y.store(value, relaxed);
  int expected = x.load(acquire);
  x.compare_exchange_strong(expected, value, acq_rel, relaxed);
  atomic_thread_fence(acquire);
  y.exchange(value, release);
}

static void Handle(int) {
  Work(-1);
  handled.fetch_add(1, relaxed);
}

static void WorkAndRaise(int self) {
  threads[self] = pthread_self();
  started.fetch_add(1, release);
  for (int i = 0; !stop.load(relaxed); i++)
    Work(i);
  for (int i = 0; i < kSignals; i++) {
    atomic_thread_fence(release);
    raise(SIGUSR1);
    y.store(i, relaxed);
  }
}

static void Disturb() {
  while (started.load(acquire) != kThreads)
    sched_yield();
  int sent = 0;
  while (sent < kSignals && !OutOfTime()) {
    pthread_kill(threads[sent % kThreads], SIGUSR1);
    sent++;
    while (handled.load(relaxed) < sent)
      sched_yield();
  }
  EXPECT(sent > 0);
  stop.store(true, relaxed);
}

int main() {
  alarm(120);
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  Concurrently(kThreads + 1, [](int self) { self < kThreads ? WorkAndRaise(self) : Disturb(); });
  EXPECT(handled > kThreads * kSignals);
}
