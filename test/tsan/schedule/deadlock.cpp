// A deadlock is reported with every thread, what it waits for and who holds that. The
// line in the report repeats it.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=schedule=roundrobin:detect_deadlocks=0 %expect_race %t two > %t.out 2>&1
// RUN: %FileCheck --check-prefix=TWO %s < %t.out
// RUN: env TSAN_OPTIONS=schedule=random:detect_deadlocks=0 %expect_race %t self > %t.out 2>&1
// RUN: %FileCheck --check-prefix=SELF %s < %t.out
// RUN: env TSAN_OPTIONS=schedule=random:detect_deadlocks=0 %expect_race %t ended > %t.out 2>&1
// RUN: %FileCheck --check-prefix=ENDED %s < %t.out
// RUN: env TSAN_OPTIONS=schedule=random:detect_deadlocks=0 %expect_race %t join > %t.out 2>&1
// RUN: %FileCheck --check-prefix=JOIN %s < %t.out
#include <atomic>
#include <cstring>
#include <pthread.h>
#include <sched.h>
#include <thread>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
std::atomic<int> inside;

__attribute__((noinline)) void Both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  for (inside++; inside.load() != 2;) {
  }
  pthread_mutex_lock(second);
}

int main(int, char **argv) {
  if (!strcmp(argv[1], "two")) {
    std::thread thread([] { Both(&a, &b); });
    Both(&b, &a);
    // TWO: WARNING: ThreadSanitizer: deadlock (pid=
    // TWO: Main thread waits for mutex 0x{{[0-9a-f]+}}, held by thread T1:
    // TWO-NEXT: #0 pthread_mutex_lock
    // TWO-NEXT: #1 Both({{.*}}deadlock.cpp:26
    // TWO: Thread T1 waits for mutex 0x{{[0-9a-f]+}}, held by main thread:
    // TWO-NEXT: #0 pthread_mutex_lock
    // TWO-NEXT: #1 Both({{.*}}deadlock.cpp:26
    // TWO: Schedule: roundrobin, seed {{[0-9]+}}, tick {{[0-9]+}}. To repeat it:
    // TWO-NEXT: TSAN_OPTIONS="schedule=roundrobin seed={{[0-9]+}}" {{.*}} two
    // TWO: SUMMARY: ThreadSanitizer: deadlock
  } else if (!strcmp(argv[1], "self")) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&a);
    // SELF: Main thread waits for mutex 0x{{[0-9a-f]+}}, which it holds itself:
  } else if (!strcmp(argv[1], "ended")) {
    std::thread thread([] { pthread_mutex_lock(&a); });
    thread.join();
    pthread_mutex_lock(&a);
    // ENDED: Main thread waits for mutex 0x{{[0-9a-f]+}}, held by a thread that has ended
  } else {
    static pthread_t threads[2];
    auto join_other = [](void *other) -> void * {
      while (inside.load() != 1) {
      }
      pthread_join(*static_cast<pthread_t *>(other), nullptr);
      return nullptr;
    };
    pthread_create(&threads[0], nullptr, join_other, &threads[1]);
    pthread_create(&threads[1], nullptr, join_other, &threads[0]);
    inside.store(1);
    while (inside.load() == 1) { // a cycle is a deadlock, even if others go on
      sched_yield();
      inside.store(1);
    }
    // JOIN-DAG: Thread T1 waits for the end of thread T2:
    // JOIN-DAG: Thread T2 waits for the end of thread T1:
  }
}
