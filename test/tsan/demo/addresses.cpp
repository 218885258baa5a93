// A program whose output is addresses, and that goes by their order: the same in each
// replay, whatever the length of TSAN_OPTIONS and the environment.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo && env FIRST=1 TSAN_OPTIONS="schedule=random seed=3 record_demo=%t.demo" \
// RUN:   %t some arguments > %t.recorded
// RUN: %FileCheck %s < %t.recorded
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t some arguments > %t.played
// RUN: cmp %t.recorded %t.played
// RUN: env -i TSAN_OPTIONS="play_demo=%t.demo history_size=2" %t > %t.played
// RUN: cmp %t.recorded %t.played
// RUN: bash -c 'for i in 1 2 3 4 5 6 7 8; do \
// RUN:   TSAN_OPTIONS="play_demo=%t.demo coverage_dir=$(printf %%0$((i * 100))d 0)" \
// RUN:     ANOTHER=$(printf %%0$((i * 1000))d 0) %t > %t.played && cmp %t.recorded %t.played \
// RUN:     || exit 1; done'
//
// RUN: rm -rf %t.queue && env FIRST=1 TSAN_OPTIONS="schedule=queue record_demo=%t.queue" \
// RUN:   %t some arguments > %t.recorded
// RUN: env TSAN_OPTIONS="play_demo=%t.queue" %t > %t.played
// RUN: cmp %t.recorded %t.played
//
// Whether addresses are to be the same is known only when the flags have been read:
// RUN: rm -rf %t.late && env FIRST=1 TSAN_OPTIONS="schedule=random record_demo=%t.late deterministic_memory=1" \
// RUN:   %t some arguments > %t.recorded
// RUN: env TSAN_OPTIONS="play_demo=%t.late" %t > %t.played
// RUN: cmp %t.recorded %t.played
//
// CHECK: FIRST is 1, 3 arguments
// CHECK: done
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_set>
#include <vector>

namespace {

std::mutex mutex;
std::map<void *, int> by_address;
std::unordered_set<void *> hashed;
std::atomic<unsigned> handed_over_count;
std::vector<void *> handed_over;

void Print(const char *what, const void *address) { printf("%s %p\n", what, address); }

// Allocates and frees a lot without any operation in between.
void UseHeap(unsigned seed, std::vector<void *> &blocks) {
  for (int i = 0; i < 3000; i++) {
    seed = seed * 1103515245 + 12345;
    const size_t size = size_t(1) << (seed >> 16) % 19;
    if ((seed >> 8) % 3 == 0 && !blocks.empty()) {
      free(blocks.back());
      blocks.pop_back();
    }
    blocks.push_back(malloc(size + (seed >> 20) % 64));
  }
}

void Work(int number) {
  std::vector<void *> blocks;
  UseHeap(number, blocks);
  void *mapped = mmap(nullptr, 4096 * (number + 1), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void *aligned = nullptr;
  if (posix_memalign(&aligned, 4096 << number, 100))
    abort();
  std::lock_guard<std::mutex> lock(mutex);
  printf("thread %d\n", number);
  Print("stack", &number);
  Print("mapping", mapped);
  Print("aligned", aligned);
  for (unsigned i = 0; i < blocks.size(); i++) {
    by_address[blocks[i]] = number;
    hashed.insert(blocks[i]);
    if (i % 100 == 0)
      Print("block", blocks[i]);
  }
  // Others free them.
  handed_over.insert(handed_over.end(), blocks.begin(), blocks.end());
  if (number % 2)
    munmap(mapped, 4096 * (number + 1));
}

void *Detached(void *) {
  int local;
  std::lock_guard<std::mutex> lock(mutex);
  Print("detached stack", &local);
  Print("detached block", malloc(100));
  handed_over_count++;
  return nullptr;
}

int global;

} // namespace

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  printf("FIRST is %s, %d arguments\n", getenv("FIRST"), argc);
  Print("main's stack", &argc);
  Print("arguments", argv[argc - 1]);
  Print("global", &global);
  Print("function", reinterpret_cast<void *>(&main));
  Print("libc", reinterpret_cast<void *>(&printf));
  for (int round = 0; round < 3; round++) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++)
      threads.emplace_back(Work, i);
    for (std::thread &thread : threads)
      thread.join();
    for (unsigned i = 0; i < handed_over.size(); i += 2)
      free(handed_over[i]);
    handed_over.clear();
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < 4; i++) {
      pthread_t thread;
      pthread_create(&thread, &attributes, Detached, nullptr);
    }
    while (handed_over_count < 4u * (round + 1))
      std::this_thread::yield();
  }
  unsigned hash = 0;
  for (const auto &entry : by_address)
    hash = hash * 31 + entry.second;
  printf("owners in order %u\n", hash);
  hash = 0;
  for (void *address : hashed)
    hash = hash * 31 + unsigned(reinterpret_cast<size_t>(address));
  printf("in the order of hashes %u\n", hash);
  puts("done");
}
