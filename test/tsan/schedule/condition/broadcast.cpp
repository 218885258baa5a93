// A broadcast wakes all.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 4
#include <pthread.h>
#include <stdio.h>
#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
bool go;
int woken;

void Wait() {
  pthread_mutex_lock(&mutex);
  while (!go)
    pthread_cond_wait(&condition, &mutex);
  woken++;
  pthread_mutex_unlock(&mutex);
}

int main() {
  std::thread threads[] = {std::thread(Wait), std::thread(Wait), std::thread(Wait),
                           std::thread(Wait)};
  pthread_mutex_lock(&mutex);
  go = true;
  pthread_cond_broadcast(&condition);
  pthread_mutex_unlock(&mutex);
  for (std::thread &thread : threads)
    thread.join();
  printf("%d\n", woken);
}
