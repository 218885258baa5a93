// One signal for two threads that wait: the other waits for ever.
// RUN: %clangxx_heddle %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Thread T{{[12]}} waits for condition variable 0x{{[0-9a-f]+}}:
// CHECK-NEXT: #0 pthread_cond_wait
// CHECK-NEXT: #1 Wait{{.*}} {{.*}}signal-wakes-one.cpp:[[@LINE+13]]
#include <pthread.h>
#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER, all_wait = PTHREAD_COND_INITIALIZER;
int waiting, tokens;

void Wait() {
  pthread_mutex_lock(&mutex);
  if (++waiting == 2)
    pthread_cond_signal(&all_wait);
  while (tokens == 0)
    pthread_cond_wait(&condition, &mutex);
  tokens--;
  pthread_mutex_unlock(&mutex);
}

int main() {
  std::thread one(Wait), two(Wait);
  pthread_mutex_lock(&mutex);
  while (waiting < 2)
    pthread_cond_wait(&all_wait, &mutex);
  tokens = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  one.join();
  two.join();
}
