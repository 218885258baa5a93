// A barrier for three and two that come.
// RUN: %clangxx_heddle %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Main thread waits for barrier 0x{{[0-9a-f]+}}:
// CHECK-NEXT: #0 pthread_barrier_wait
// CHECK: Thread T1 waits for barrier
#include <pthread.h>
#include <thread>

pthread_barrier_t barrier;

int main() {
  pthread_barrier_init(&barrier, nullptr, 3);
  std::thread other([] { pthread_barrier_wait(&barrier); });
  pthread_barrier_wait(&barrier);
  other.join();
}
