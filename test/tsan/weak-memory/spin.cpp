// A store becomes visible in finite time: loops that wait for one, two, twenty locations
// end, under every strategy, whatever loads prefer to read. None of them synchronises.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_engine --seeds 2 %t | %FileCheck %s
// RUN: %every_engine --seeds 2 --options "read_policy=oldest" %t | %FileCheck %s
// RUN: %every_engine --seeds 2 --options "read_policy=stale" %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 --options "weak_memory=buffer" %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 --options "weak_memory=mograph" %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 --options "weak_memory=buffer read_policy=oldest" %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 --options "weak_memory=mograph read_policy=stale" %t | %FileCheck %s
// RUN: %every_engine --scheduled --seeds 3 --options "schedule=pctwm schedule_depth=0" %t | %FileCheck %s
// RUN: %every_engine --scheduled --seeds 3 --options "schedule=pctwm schedule_depth=5 history_depth=3" %t | %FileCheck %s
#include "heddle_test.h"
#include <thread>

constexpr int kMany = 20;
struct Flag {
  alignas(8) atomic<int> value{0};
};
Flag flags[kMany];

void Store(int count, int value) {
  for (int i = 0; i < count; i++)
    flags[i].value.store(value, relaxed);
}

// Waits until all are set.
void ForAll(int count, int value) {
  for (bool all = false; !all;) {
    all = true;
    for (int i = 0; i < count; i++)
      all &= flags[i].value.load(relaxed) == value;
  }
}

// With a store of its own in the loop, which is no progress.
void Counting(int value) {
  static atomic<int> turns;
  while (flags[0].value.load(relaxed) != value)
    turns.store(turns.load(relaxed) + 1, relaxed);
}

void ByCompareExchange(int value) {
  for (int expected = value; !flags[0].value.compare_exchange_weak(expected, value + 1, relaxed);)
    expected = value;
}

template <class Wait> void Test(const char *name, int count, Wait wait) {
  static int value = 0;
  value += 10;
  std::thread reader([=] { wait(value); }), writer([=] { Store(count, value); });
  reader.join();
  writer.join();
  printf("%s\n", name);
}

int main() {
  for (int i = 0; i < 5; i++) {
    for (int count : {1, 2, kMany})
      Test("all", count, [=](int value) { ForAll(count, value); });
    Test("in turn", kMany, [](int value) {
      for (Flag &flag : flags)
        while (flag.value.load(relaxed) != value) {
        }
    });
    Test("counting", 1, Counting);
    Test("compare-exchange", 1, ByCompareExchange);
    Test("many stores before", 1, [](int value) {
      while (flags[0].value.load(relaxed) != value) {
      }
      for (int i = 0; i < 200; i++)
        flags[1].value.store(i, relaxed);
    });
  }
  puts("over");
  // CHECK: over
}
