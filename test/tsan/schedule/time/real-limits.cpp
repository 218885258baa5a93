// With real_sleep=1 no timed wait ends before its time on the system's clock: of threads, locks,
// semaphores, condition variables and in the kernel, while others run or wait.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 --kernel --options real_sleep=1 %t
#include "heddle_test.h"
#include <errno.h>
#include <future>
#include <mutex>
#include <poll.h>
#include <semaphore.h>
#include <shared_mutex>
#include <thread>
#include <unistd.h>

const long kLimit = 5000000; // nanoseconds

static long Now(clockid_t clock) {
  timespec now;
  EXPECT(!clock_gettime(clock, &now));
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

template <class Wait> static void ExpectLimit(const char *name, clockid_t clock, const Wait &wait) {
  const long until = Now(clock) + kLimit;
  const timespec limit = {until / 1000000000, until % 1000000000};
  wait(limit);
  const long early = until - Now(clock);
  if (early > 0) {
    fprintf(stderr, "%s: %ld nanoseconds early\n", name, early);
    _exit(1);
  }
}
#define EXPECT_LIMIT(clock, call)                                                                  \
  ExpectLimit(#call, clock, [&](const timespec &limit) { EXPECT((call) == ETIMEDOUT); })

static void Waits() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
  pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  sem_t semaphore, release;
  sem_init(&semaphore, 0, 0);
  sem_init(&release, 0, 0);
  std::thread holder([&] {
    pthread_mutex_lock(&held);
    pthread_rwlock_wrlock(&shared);
    sem_post(&semaphore);
    sem_wait(&release);
    pthread_rwlock_unlock(&shared);
    pthread_mutex_unlock(&held);
  });
  sem_wait(&semaphore);
  pthread_mutex_lock(&mutex);
  ExpectLimit("pthread_cond_timedwait", CLOCK_REALTIME, [&](const timespec &limit) {
    int result;
    do
      result = pthread_cond_timedwait(&condition, &mutex, &limit);
    while (!result); // spurious
    EXPECT(result == ETIMEDOUT);
  });
  ExpectLimit("pthread_cond_clockwait", CLOCK_MONOTONIC, [&](const timespec &limit) {
    int result;
    do
      result = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &limit);
    while (!result);
    EXPECT(result == ETIMEDOUT);
  });
  pthread_mutex_unlock(&mutex);
  EXPECT_LIMIT(CLOCK_REALTIME, pthread_mutex_timedlock(&held, &limit));
  EXPECT_LIMIT(CLOCK_MONOTONIC, pthread_mutex_clocklock(&held, CLOCK_MONOTONIC, &limit));
  EXPECT_LIMIT(CLOCK_REALTIME, pthread_rwlock_timedrdlock(&shared, &limit));
  EXPECT_LIMIT(CLOCK_REALTIME, pthread_rwlock_timedwrlock(&shared, &limit));
  EXPECT_LIMIT(CLOCK_REALTIME, sem_timedwait(&semaphore, &limit) ? errno : 0);
  EXPECT_LIMIT(CLOCK_REALTIME, pthread_timedjoin_np(holder.native_handle(), nullptr, &limit));
  ExpectLimit("poll", CLOCK_MONOTONIC, [](const timespec &) {
    int ends[2];
    EXPECT(!pipe(ends));
    pollfd file = {ends[0], POLLIN, 0};
    EXPECT(!poll(&file, 1, kLimit / 1000000));
    close(ends[0]);
    close(ends[1]);
  });
  std::promise<int> promise;
  ExpectLimit("future", CLOCK_MONOTONIC, [&](const timespec &) {
    EXPECT(promise.get_future().wait_for(std::chrono::nanoseconds(kLimit)) ==
           std::future_status::timeout);
  });
  sem_post(&release);
  holder.join();
}

int main() {
  Waits();
  std::atomic<bool> done{false};
  std::thread busy([&] {
    while (!done)
      sched_yield();
  });
  Waits();
  done = true;
  busy.join();
}
