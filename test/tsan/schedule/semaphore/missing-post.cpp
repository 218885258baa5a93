// Two waits, one post.
// RUN: %clangxx_heddle %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Main thread waits for the end of thread T1:
// CHECK: Thread T1 waits for semaphore 0x{{[0-9a-f]+}}:
// CHECK-NEXT: #0 sem_wait
// CHECK-NEXT: #1 {{.*}}missing-post.cpp:[[@LINE+11]]
#include <semaphore.h>
#include <thread>

sem_t semaphore;

int main() {
  sem_init(&semaphore, 0, 0);
  std::thread waiter([] {
    for (int i = 0; i < 2; i++)
      // The second time.
      sem_wait(&semaphore);
  });
  sem_post(&semaphore);
  waiter.join();
}
