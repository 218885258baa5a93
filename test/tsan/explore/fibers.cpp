// Executions with fibers: some live in one execution, one in all of them.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %t 2>&1 | %FileCheck %s
// CHECK: executions: 300, stale: yes
// CHECK: mograph: 300
#include "fiber.h"
#include "heddle_test.h"
#include <sanitizer/heddle_interface.h>
#include <thread>

static std::atomic<int> data, flag;
static int stale;

static void Body(Fiber &kept) {
  data = flag = 0;
  std::thread other([] {
    Fiber fiber([] {
      data.store(1, std::memory_order_relaxed);
      flag.store(1, std::memory_order_relaxed);
    });
    fiber.Resume();
  });
  {
    Fiber fiber([] {
      if (flag.load(std::memory_order_relaxed) && !data.load(std::memory_order_relaxed))
        stale++;
    });
    fiber.Resume();
    kept.Resume();
  }
  other.join();
}

int main() {
  Fiber *self = nullptr;
  Fiber kept([&] {
    for (;;) {
      data.fetch_add(1, std::memory_order_relaxed);
      self->Yield();
    }
  });
  self = &kept;
  heddle::Options options;
  options.executions = 300;
  options.seed = 1;
  options.weak_memory = "buffer";
  int executions = heddle::Explore(options, [&] { Body(kept); }).executions;
  printf("executions: %d, stale: %s\n", executions, stale ? "yes" : "no");
  options.weak_memory = "mograph";
  printf("mograph: %d\n", int(heddle::Explore(options, [&] { Body(kept); }).executions));
}
