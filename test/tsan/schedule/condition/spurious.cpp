// A wait may end though nobody signals. With some seed it does, and a wait without a
// loop is found wanting.
// RUN: %clangxx_heddle %s -o %t
// RUN: env seed=0 sh -c 'until seed=$((seed + 1)) && TSAN_OPTIONS="schedule=random seed=$seed" %t 2>&1 | grep spurious; do [ $seed -lt 300 ] || exit 1; done'
#include <pthread.h>
#include <stdio.h>
#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
bool flag;

int main() {
  pthread_mutex_lock(&mutex);
  std::thread signaller([] {
    pthread_mutex_lock(&mutex);
    flag = true;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  });
  pthread_cond_wait(&condition, &mutex);
  if (!flag)
    puts("spurious");
  pthread_mutex_unlock(&mutex);
  signaller.join();
}
