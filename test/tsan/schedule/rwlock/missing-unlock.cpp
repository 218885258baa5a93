// A reader that keeps the lock while it waits for the writer to end. Another reader
// has it, too, and gives it back.
// RUN: %clangxx_heddle %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Main thread waits for the end of thread T2:
// CHECK: Thread T2 waits for read-write lock {{.*}}, held by main thread:
#include <pthread.h>
#include <thread>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

int main() {
  pthread_rwlock_rdlock(&lock);
  std::thread reader([] {
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
  });
  reader.join();
  std::thread writer([] { pthread_rwlock_wrlock(&lock); });
  writer.join();
}
