// A reader that locks for writing waits for itself.
// RUN: %clangxx_heddle %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Main thread waits for read-write lock {{.*}}, which it holds itself:
// CHECK-NEXT: #0 pthread_rwlock_wrlock
// CHECK-NEXT: #1 main {{.*}}write-after-read.cpp:[[@LINE+7]]
#include <pthread.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main() {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_wrlock(&lock);
}
