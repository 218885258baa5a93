// Signals from another process while a thread computes, and while it waits: they are handled at
// the same operation in a replay.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --peer %t | %FileCheck %s
#include "peer.h"
#include <signal.h>
#include <thread>

static int Peer() {
  const int fd = AwaitProgram();
  const int program = atoi(ReadLine(fd).c_str());
  for (std::string line = ReadLine(fd); !line.empty(); line = ReadLine(fd))
    EXPECT(!kill(program, SIGUSR1));
  return 0;
}

static atomic<int> operations, handled_at, handled, value;

static void Handle(int, siginfo_t *info, void *) {
  handled_at = operations.load();
  value = info->si_signo;
  handled++;
}

int main(int argc, char **argv) {
  if (IsPeer(argc, argv))
    return Peer();
  struct sigaction action = {};
  action.sa_sigaction = Handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  const int fd = ConnectTo(argv[1]);
  Send(fd, std::to_string(getpid()) + "\n");
  std::thread other([] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    while (handled.load() < 3)
      operations++;
  });
  for (int i = 1; i <= 3; i++) {
    Send(fd, "go\n");
    while (handled.load() < i)
      operations++;
    printf("handled %d, signal %d, operation %d\n", i, value.load(), handled_at.load());
  }
  other.join();
  // In a wait for another thread.
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  std::thread waker([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    Send(fd, "go\n");
    while (handled.load() < 4)
      operations++;
    pthread_mutex_lock(&mutex);
    handled++;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  });
  pthread_mutex_lock(&mutex);
  while (handled.load() < 5)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  waker.join();
  printf("operations: %d\n", operations.load());
}
// CHECK: handled 1, signal 10, operation
// CHECK: handled 2, signal 10, operation
// CHECK: handled 3, signal 10, operation
// CHECK: operations:
