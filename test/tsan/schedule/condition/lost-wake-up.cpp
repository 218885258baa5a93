// The flag is set and signalled without the mutex. If that comes between the test of
// the flag and the wait, the thread waits for ever; some schedule shows that, and
// its seed shows it again.
// RUN: %clangxx_heddle %s -o %t
// RUN: env seed=0 sh -c 'while seed=$((seed + 1)) && TSAN_OPTIONS="schedule=random seed=$seed" %t 2>%t.err; do [ $seed -lt 100 ] || exit 1; done; [ $? = 0 ] && echo $seed >%t.seed'
// RUN: %FileCheck %s < %t.err
// RUN: %expect_race env TSAN_OPTIONS="schedule=random seed=$(cat %t.seed)" %t 2>&1 | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Main thread waits for the end of thread T1:
// CHECK: Thread T1 waits for condition variable
// CHECK: Schedule: random, seed
#include <atomic>
#include <pthread.h>
#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
std::atomic<bool> flag;

int main() {
  std::thread waiter([] {
    pthread_mutex_lock(&mutex);
    while (!flag)
      pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
  });
  flag = true;
  pthread_cond_signal(&condition);
  waiter.join();
}
