// Timers with SIGEV_THREAD: the function is called in threads that the runtime knows, after what came
// before the timer was set, and is recorded like all else.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_clean %t && %t | %FileCheck %s
// RUN: %every_schedule --kernel --seeds 1 %t count | %FileCheck --check-prefix=COUNT %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph" %t count | %FileCheck --check-prefix=COUNT %s
// RUN: %record_and_play --seeds 2 %t | %FileCheck %s
#include "heddle_test.h"
#include <errno.h>
#include <mutex>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic<int> calls[2];
static std::mutex mutex;
static unsigned order;
static long before_create, before_set;

static void Call(sigval value) {
  sigset_t blocked;
  EXPECT(!pthread_sigmask(SIG_SETMASK, nullptr, &blocked) && sigismember(&blocked, SIGUSR1));
  EXPECT(before_create == 1 && before_set == 2);
  {
    std::lock_guard<std::mutex> lock(mutex);
    order = order * 31 + unsigned(value.sival_int);
  }
  calls[value.sival_int]++;
}

static timer_t Create(int number, const pthread_attr_t *attributes) {
  sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = Call;
  event.sigev_notify_attributes = const_cast<pthread_attr_t *>(attributes);
  event.sigev_value.sival_int = number;
  timer_t timer;
  EXPECT(!timer_create(number ? CLOCK_REALTIME : CLOCK_MONOTONIC, &event, &timer));
  return timer;
}

static void Set(timer_t timer, long nanoseconds) {
  const itimerspec time = {{0, nanoseconds}, {0, nanoseconds}};
  EXPECT(!timer_settime(timer, 0, &time, nullptr));
}

int main(int count, char **) {
  before_create = 1;
  pthread_attr_t attributes;
  EXPECT(!pthread_attr_init(&attributes) && !pthread_attr_setstacksize(&attributes, 1 << 20));
  const timer_t timers[] = {Create(0, nullptr), Create(1, &attributes)};
  EXPECT(!pthread_attr_destroy(&attributes));
  before_set = 2;
  Set(timers[0], 1500000);
  Set(timers[1], 2500000);
  while (calls[0] < 5 || calls[1] < 5)
    sched_yield();
  itimerspec left;
  EXPECT(!timer_gettime(timers[0], &left) && left.it_interval.tv_nsec == 1500000);
  for (timer_t timer : timers)
    EXPECT(!timer_delete(timer));
  std::lock_guard<std::mutex> lock(mutex);
  printf("enough calls\n");
  if (count == 1)
    printf("%d and %d calls, order %u\n", calls[0].load(), calls[1].load(), order);
}
// CHECK: {{[0-9]+}} and {{[0-9]+}} calls
// COUNT: enough calls
