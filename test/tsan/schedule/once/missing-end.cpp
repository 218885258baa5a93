// An initialisation waits for a thread that waits for it.
// RUN: %clangxx_heddle %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Main thread waits for the end of thread T1:
// CHECK: Thread T1 waits for one-time initialisation {{.*}}, held by main thread:
#include <pthread.h>
#include <thread>

pthread_once_t once = PTHREAD_ONCE_INIT;

void Initialise() {
  std::thread([] { pthread_once(&once, Initialise); }).join();
}

int main() { pthread_once(&once, Initialise); }
