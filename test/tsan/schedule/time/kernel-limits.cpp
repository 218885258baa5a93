// A wait in the kernel that ends by its limit has taken that long, as the program's clocks tell it: each
// call that has one, among threads that wait in other ways, and in a replay.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 --kernel %t
// RUN: rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=random seed=3 record_demo=%t.demo" %t print > %t.recorded
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t print > %t.played
// RUN: diff %t.recorded %t.played
// RUN: rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=queue record_demo=%t.demo" %t print > %t.recorded
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t print > %t.played
// RUN: diff %t.recorded %t.played
#include "heddle_test.h"
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <string>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <thread>
#include <unistd.h>

const long kLimit = 3000000; // nanoseconds
const int kMilliseconds = kLimit / 1000000;
static bool prints; // how long it took

static long Now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now;
  EXPECT(!clock_gettime(clock, &now));
  return now.tv_sec * 1000000000 + now.tv_nsec;
}

template <class Wait> static void ExpectLimit(const char *name, const Wait &wait) {
  const long start = Now();
  for (int i = 0; i < 3; i++)
    wait();
  const long waited = Now() - start;
  if (waited < 3 * kLimit) {
    fprintf(stderr, "%s: %ld nanoseconds\n", name, waited);
    _exit(1);
  }
  if (prints)
    printf("%s %ld\n", name, waited);
}
#define EXPECT_LIMIT(call) ExpectLimit(#call, [&] { EXPECT(call); })

static void Waits() {
  int ends[2];
  EXPECT(!pipe(ends));
  pollfd file = {ends[0], POLLIN, 0};
  timespec limit = {0, kLimit};
  EXPECT_LIMIT(poll(&file, 1, kMilliseconds) == 0);
  EXPECT_LIMIT(ppoll(&file, 1, &limit, nullptr) == 0);
  fd_set files;
  ExpectLimit("select", [&] {
    FD_ZERO(&files);
    FD_SET(ends[0], &files);
    timeval limit = {0, kLimit / 1000};
    EXPECT(select(ends[0] + 1, &files, nullptr, nullptr, &limit) == 0);
  });
  ExpectLimit("pselect", [&] {
    FD_ZERO(&files);
    FD_SET(ends[0], &files);
    EXPECT(pselect(ends[0] + 1, &files, nullptr, nullptr, &limit, nullptr) == 0);
  });
  const int set = epoll_create1(0);
  epoll_event event = {EPOLLIN, {}};
  EXPECT(!epoll_ctl(set, EPOLL_CTL_ADD, ends[0], &event));
  EXPECT_LIMIT(epoll_wait(set, &event, 1, kMilliseconds) == 0);
  EXPECT_LIMIT(epoll_pwait(set, &event, 1, kMilliseconds, nullptr) == 0);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  EXPECT(!pthread_sigmask(SIG_BLOCK, &signals, nullptr));
  EXPECT_LIMIT(sigtimedwait(&signals, nullptr, &limit) == -1 && errno == EAGAIN);
  const int semaphores = semget(IPC_PRIVATE, 1, 0600);
  sembuf down = {0, -1, 0};
  EXPECT_LIMIT(semtimedop(semaphores, &down, 1, &limit) == -1 && errno == EAGAIN);
  // This one does not wait.
  down.sem_flg = IPC_NOWAIT;
  timespec hours = {10000, 0};
  const long start = Now();
  EXPECT(semtimedop(semaphores, &down, 1, &hours) == -1 && errno == EAGAIN);
  EXPECT(Now() - start < 1000000000);
  EXPECT(!semctl(semaphores, 0, IPC_RMID));
}

// Their limit is a time of day, and the program's may be another one than the system's.
static void Queues() {
  sleep(1000);
  mq_attr attributes = {};
  attributes.mq_maxmsg = 1;
  attributes.mq_msgsize = 8;
  const std::string name = "/heddle-limits-" + std::to_string(getpid());
  const mqd_t queue = mq_open(name.c_str(), O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
  if (queue < 0)
    return; // a machine without queues
  mq_unlink(name.c_str());
  char data[8] = {};
  const auto until = [] {
    const long time = Now(CLOCK_REALTIME) + kLimit;
    return timespec{time / 1000000000, time % 1000000000};
  };
  ExpectLimit("mq_timedreceive", [&] {
    timespec limit = until();
    EXPECT(mq_timedreceive(queue, data, sizeof(data), nullptr, &limit) == -1 && errno == ETIMEDOUT);
  });
  EXPECT(!mq_send(queue, data, sizeof(data), 0));
  ExpectLimit("mq_timedsend", [&] {
    timespec limit = until();
    EXPECT(mq_timedsend(queue, data, sizeof(data), 0, &limit) == -1 && errno == ETIMEDOUT);
  });
  mq_close(queue);
}

int main(int count, char **) {
  prints = count > 1;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  bool done = false;
  std::thread other([&] {
    pthread_mutex_lock(&mutex);
    while (!done)
      pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  });
  Waits();
  Queues();
  pthread_mutex_lock(&mutex);
  done = true;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  other.join();
}
