// A lock held for reading orders nobody's writes.
// RUN: %clangxx_heddle %s -o %t
// RUN: %expect_race env TSAN_OPTIONS="schedule=random seed=1" %t 2>&1 | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK: Schedule: random, seed 1, tick {{[0-9]+}}. To repeat it:
#include <pthread.h>
#include <thread>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int value;

void Write() {
  pthread_rwlock_rdlock(&lock);
  value++;
  pthread_rwlock_unlock(&lock);
}

int main() {
  std::thread one(Write), two(Write);
  one.join();
  two.join();
}
