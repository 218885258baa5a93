// A fork among threads: the child is a thread alone, and under the schedule. It takes locks, and creates
// threads if die_after_fork=0.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --kernel --seeds 2 --options die_after_fork=0 %t
#include "heddle_test.h"
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic<bool> stop;
static int handlers;

static void Work() {
  while (!stop) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
}

int main() {
  // The mutex is free in the child: handlers are no part of the operation, they wait for locks.
  pthread_atfork([] { handlers++; pthread_mutex_lock(&mutex); },
                 [] { pthread_mutex_unlock(&mutex); }, [] { pthread_mutex_unlock(&mutex); });
  std::thread first(Work), second(Work);
  for (int i = 0; i < 5; i++) {
    pid_t child = fork();
    EXPECT(child >= 0);
    if (!child) {
      pthread_mutex_lock(&mutex);
      pthread_mutex_unlock(&mutex);
      atomic<int> x{0};
      std::thread more([&] { x = 1; });
      more.join();
      _exit(x != 1);
    }
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  stop = true;
  first.join();
  second.join();
  EXPECT(handlers == 5);
}
