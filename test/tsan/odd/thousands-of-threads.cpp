// 5,000 threads, 500 at a time, that meet in a mutex, an atomic and a thread_local.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %t | %FileCheck %s
// RUN: for options in schedule=random schedule=queue; do env TSAN_OPTIONS=$options %expect_clean %t; done
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph" %expect_clean %t 1000 100
// RUN: %record_and_play --times 1 %t 1000 500
// CHECK: 5000 threads, 5000 destructors
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

static std::atomic<int> destructors;
struct Note {
  ~Note() { destructors.fetch_add(1, std::memory_order_relaxed); }
  int value = 0;
};
static thread_local Note note;

int main(int argc, char **argv) {
  const int all = argc > 1 ? atoi(argv[1]) : 5000, at_once = argc > 2 ? atoi(argv[2]) : 500;
  std::mutex mutex;
  int count = 0;
  for (int done = 0; done < all; done += at_once) {
    std::vector<std::thread> threads;
    for (int i = 0; i < at_once; i++)
      threads.emplace_back([&] {
        note.value++;
        std::lock_guard<std::mutex> lock(mutex);
        count += note.value;
      });
    for (auto &thread : threads)
      thread.join();
  }
  printf("%d threads, %d destructors\n", count, destructors.load());
}
