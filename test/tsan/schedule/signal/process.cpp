// A signal to the whole process goes to the main thread, or, if that has blocked it, to the first
// that has not; to the sender, before kill returns.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t
#include "heddle_test.h"
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t ready, done;
static pthread_t receiver;
static atomic<int> handled, value;

static void Handle(int, siginfo_t *info, void *) {
  EXPECT(pthread_equal(pthread_self(), receiver));
  EXPECT(info->si_pid == getpid());
  if (info->si_code == SI_QUEUE)
    value = info->si_value.sival_int;
  else
    EXPECT(info->si_code == SI_USER);
  handled++;
}

static void *Receive(void *) {
  sem_post(&ready);
  while (handled < 2)
    sem_wait(&done);
  EXPECT(!kill(getpid(), SIGUSR1) && handled == 3);
  return nullptr;
}

int main() {
  sem_init(&ready, 0, 0);
  sem_init(&done, 0, 0);
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr) && !sigaction(SIGUSR2, &action, nullptr));
  receiver = pthread_self();
  EXPECT(!kill(getpid(), SIGUSR1) && handled == 1);
  handled = 0;

  pthread_create(&receiver, nullptr, Receive, nullptr);
  sem_wait(&ready);
  sigset_t signals;
  sigfillset(&signals);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  sigval sent;
  sent.sival_int = 5;
  EXPECT(!kill(getpid(), SIGUSR1));
  EXPECT(!sigqueue(getpid(), SIGUSR2, sent));
  pthread_join(receiver, nullptr);
  EXPECT(handled == 3 && value == 5);
}
