// A signal handler runs while a thread waits, without the mutex.
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule %t | %FileCheck %s
// CHECK: handled
#include <atomic>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
bool go, waiting;
std::atomic<bool> handled;
std::atomic<int> spins;

void Handle(int) { handled = true; }

void *Wait(void *) {
  pthread_mutex_lock(&mutex);
  waiting = true;
  pthread_cond_signal(&condition);
  while (!go)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = Handle;
  sigaction(SIGUSR1, &action, nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, Wait, nullptr);
  pthread_mutex_lock(&mutex);
  while (!waiting)
    pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_kill(thread, SIGUSR1);
  while (!handled)
    spins++; // somebody gets something done: this is no livelock
  pthread_mutex_lock(&mutex);
  go = true;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, nullptr);
  puts("handled");
}
