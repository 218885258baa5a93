// Many more fibers than there are slots, each run by two threads in turn.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: %every_schedule --seeds 1 %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph" %expect_clean %t
// RUN: %every_engine --seeds 1 %t
// RUN: %record_and_play %t
// CHECK: 1800
#include "fiber.h"
#include "heddle_test.h"
#include <memory>

constexpr int kFibers = 600;
static std::vector<std::unique_ptr<Fiber>> fibers;
static std::atomic<int> count;

static void *ResumeAll(void *) {
  for (auto &fiber : fibers)
    fiber->Resume();
  return nullptr;
}

int main() {
  for (int i = 0; i < kFibers; i++)
    fibers.push_back(std::make_unique<Fiber>(
        [i] {
          for (int step = 0; step < 3; step++) {
            count.fetch_add(1, std::memory_order_relaxed);
            fibers[i]->Yield();
          }
        },
        0, 32 << 10));
  for (int step = 0; step < 4; step++) {
    pthread_t thread;
    pthread_create(&thread, nullptr, ResumeAll, nullptr);
    pthread_join(thread, nullptr);
  }
  for (auto &fiber : fibers)
    EXPECT(fiber->ended());
  printf("%d\n", count.load());
}
