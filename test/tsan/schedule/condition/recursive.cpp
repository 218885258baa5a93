// A wait unlocks a recursive mutex once. If it is locked twice it stays locked, and
// who is to signal cannot.
// RUN: %clangxx_heddle %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Main thread waits for condition variable
// CHECK: Thread T1 waits for mutex {{.*}}, held by main thread:
#include <pthread.h>
#include <thread>

pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
bool flag;

int main() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  std::thread signaller([] {
    pthread_mutex_lock(&mutex);
    flag = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  });
  while (!flag)
    pthread_cond_wait(&condition, &mutex);
}
