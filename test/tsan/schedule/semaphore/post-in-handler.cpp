// sem_post may be called in a signal handler, also in that of the thread that waits.
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule %t | %FileCheck %s
// CHECK: posted
#include <atomic>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>

#include "heddle_test.h"

sem_t semaphore;
std::atomic<bool> returned;
std::atomic<int> spins;

void Handle(int) { sem_post(&semaphore); }

void *Wait(void *) {
  EXPECT(sem_wait(&semaphore) == 0);
  returned = true;
  return nullptr;
}

int main() {
  sem_init(&semaphore, 0, 0);
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, Wait, nullptr);
  pthread_kill(thread, SIGUSR1);
  while (!returned)
    spins++; // somebody gets something done: this is no livelock
  pthread_join(thread, nullptr);

  // To itself.
  raise(SIGUSR1);
  EXPECT(sem_wait(&semaphore) == 0);
  puts("posted");
}
