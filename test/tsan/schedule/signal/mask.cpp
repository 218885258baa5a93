// A signal that the receiver has blocked, or that is ignored, interrupts no wait. It is handled when it
// is unblocked, and sigpending and sigtimedwait know of it.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t
#include "heddle_test.h"
#include <errno.h>
#include <semaphore.h>
#include <signal.h>

static sem_t semaphore, waiting;
static atomic<int> handled;
static void Handle(int) { handled++; }

static sigset_t SetOf(int signal) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, signal);
  return signals;
}

static void *Receive(void *) {
  sigset_t signals = SetOf(SIGUSR1), pending;
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  sem_post(&waiting);
  EXPECT(!sem_wait(&semaphore)); // not EINTR
  EXPECT(!sigpending(&pending) && sigismember(&pending, SIGUSR1) && !handled);
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  sem_post(&waiting); // handled by the end of it
  EXPECT(handled == 1);

  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  sem_post(&waiting);
  timespec now = {0, 0};
  EXPECT(!sem_wait(&semaphore) && sigtimedwait(&signals, nullptr, &now) == SIGUSR1);
  EXPECT(handled == 1);
  return nullptr;
}

int main() {
  sem_init(&semaphore, 0, 0);
  sem_init(&waiting, 0, 0);
  struct sigaction action = {};
  action.sa_handler = Handle;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  signal(SIGUSR2, SIG_IGN);
  pthread_t thread;
  pthread_create(&thread, nullptr, Receive, nullptr);
  sem_wait(&waiting);
  EXPECT(!pthread_kill(thread, SIGUSR1) && !pthread_kill(thread, SIGUSR2));
  EXPECT(!pthread_kill(thread, SIGCHLD)); // ignored by default
  EXPECT(!pthread_kill(thread, 0) && pthread_kill(thread, 1000) == EINVAL);
  sem_post(&semaphore);
  sem_wait(&waiting);
  sem_wait(&waiting);
  EXPECT(!pthread_kill(thread, SIGUSR1));
  sem_post(&semaphore);
  pthread_join(thread, nullptr);
}
