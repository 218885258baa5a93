// Deep recursion in several threads, with atomic operations and locks at the bottom; exceptions and
// longjmp out of it.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %six_modes %t | %FileCheck %s
// CHECK: 3 deep, 3 thrown, 3 jumped
#include <atomic>
#include <csetjmp>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

static std::atomic<int> bottom, thrown, jumped;
static std::mutex mutex;

enum class End { kReturn, kThrow, kJump };

__attribute__((noinline)) static int Descend(int depth, End end, jmp_buf &buffer) {
  volatile char room[64] = {};
  if (depth) {
    const int below = Descend(depth - 1, end, buffer);
    return below + room[depth % 64];
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    bottom++;
  }
  if (end == End::kThrow)
    throw depth;
  if (end == End::kJump)
    longjmp(buffer, 1);
  return 1;
}

static void Run() {
  static constexpr int kDepth = 10000;
  jmp_buf buffer;
  Descend(kDepth, End::kReturn, buffer);
  try {
    Descend(kDepth, End::kThrow, buffer);
  } catch (int) {
    thrown++;
  }
  if (setjmp(buffer) == 0)
    Descend(kDepth, End::kJump, buffer);
  else
    jumped++;
}

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back(Run);
  for (auto &thread : threads)
    thread.join();
  printf("%d deep, %d thrown, %d jumped\n", bottom.load() - 6, thrown.load(), jumped.load());
}
