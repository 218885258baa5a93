// A handler without SA_RESTART ends a wait with EINTR, one with it does not.
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule %t | %FileCheck %s
// CHECK: restarted: 0
// CHECK: interrupted: EINTR
#include <atomic>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

sem_t semaphore;
std::atomic<int> handled;
std::atomic<bool> returned;
int error;

void Handle(int) { handled++; }

void *Wait(void *) {
  error = sem_wait(&semaphore) == 0 ? 0 : errno;
  returned = true;
  return nullptr;
}

void Run(int flags, int signals) {
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = flags;
  sigaction(SIGUSR1, &action, nullptr);
  returned = false;
  handled = 0;
  pthread_t thread;
  pthread_create(&thread, nullptr, Wait, nullptr);
  // A signal may come before the thread waits, or none has come yet.
  while (!returned && handled < signals)
    pthread_kill(thread, SIGUSR1);
  if (signals < 1000)
    sem_post(&semaphore);
  pthread_join(thread, nullptr);
}

int main() {
  sem_init(&semaphore, 0, 0);
  Run(SA_RESTART, 3);
  printf("restarted: %s\n", error == 0 ? "0" : "?");
  Run(0, 1000000);
  printf("interrupted: %s\n", error == EINTR ? "EINTR" : "?");
}
