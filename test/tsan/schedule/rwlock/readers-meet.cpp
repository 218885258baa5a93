// Two readers have the lock at the same time: neither goes on without the other.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: met
#include <pthread.h>
#include <stdio.h>
#include <thread>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;

void Read() {
  pthread_rwlock_rdlock(&lock);
  pthread_barrier_wait(&barrier);
  pthread_rwlock_unlock(&lock);
}

int main() {
  pthread_barrier_init(&barrier, nullptr, 2);
  std::thread one(Read), two(Read);
  one.join();
  two.join();
  printf("met\n");
}
