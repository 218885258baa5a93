// One thread allocates and another frees: the heap does not grow without end, and replays.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" \
// RUN:   %t > %t.recorded
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t > %t.played
// RUN: cmp %t.recorded %t.played
// RUN: %FileCheck %s < %t.recorded
//
// CHECK: small enough
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::condition_variable changed;
std::vector<void *> blocks;
bool done;

int main() {
  constexpr size_t kBlocks = 500, kSize = 20000, kRounds = 200; // 2 GB in all
  size_t sum = 0;
  std::thread consumer([&] {
    std::unique_lock<std::mutex> lock(mutex);
    while (!done || !blocks.empty()) {
      changed.wait(lock, [] { return done || !blocks.empty(); });
      for (void *block : blocks)
        free(block);
      blocks.clear();
      changed.notify_all();
    }
  });
  for (size_t i = 0; i < kRounds; i++) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return blocks.empty(); });
    for (size_t j = 0; j < kBlocks; j++) {
      void *block = malloc(kSize);
      memset(block, 1, kSize);
      sum = sum * 31 + reinterpret_cast<size_t>(block);
      blocks.push_back(block);
    }
    changed.notify_all();
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    done = true;
    changed.notify_all();
  }
  consumer.join();
  printf("addresses %zx\n", sum);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  puts(usage.ru_maxrss < 1000000 ? "small enough" : "too large");
}
