// A robust mutex of a thread that the child of a fork does not have stays locked there: the system takes
// it from threads that end, and this one has not.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel --seeds 2 %t
#include "heddle_test.h"
#include <errno.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static pthread_mutex_t mutex;
static atomic<bool> locked, stop;

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  std::thread owner([] {
    pthread_mutex_lock(&mutex);
    locked = true;
    while (!stop)
      std::this_thread::yield();
    pthread_mutex_unlock(&mutex);
  });
  while (!locked)
    std::this_thread::yield();
  pid_t child = fork();
  EXPECT(child >= 0);
  if (!child)
    _exit(pthread_mutex_trylock(&mutex) != EBUSY);
  int status = 1;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  stop = true;
  owner.join();
}
