// What is accessed plainly between atomic accesses. A plain read, be it by memcpy, memmove,
// memcmp or an assignment, gets the last store in modification order, which need not be the
// last that was executed. An object of std::atomic_ref is a plain one before and after.
//
// RUN: %clangxx_heddle %s -o %t && %every_engine %t | %FileCheck %s
// RUN: %every_engine --scheduled --seeds 2 --options "read_policy=oldest" %t
// RUN: env TSAN_OPTIONS="schedule=pctwm weak_memory=mograph seed=1" %expect_clean %t
// CHECK: done
#include "heddle_test.h"
#include <algorithm>
#include <cstring>
#include <thread>

struct Around {
  int before, object, after;
};

// Two threads store in no order.
void StoreTwice(int &object) {
  std::thread one([&] {
    std::atomic_ref(object).store(1, relaxed);
    std::atomic_ref(object).store(2, relaxed);
  });
  std::thread other([&] {
    std::atomic_ref(object).store(3, relaxed);
    std::atomic_ref(object).store(4, relaxed);
  });
  one.join();
  other.join();
}

template <class Copy> void Read(Copy copy) {
  for (int i = 0; i < 10; i++) {
    alignas(8) Around around{7, 0, 8};
    StoreTwice(around.object);
    Around other{};
    copy(&other, &around);
    EXPECT(other.before == 7 && other.after == 8);
    EXPECT(other.object == 2 || other.object == 4);
    // Nothing was stored since: an atomic load of whoever knows of all stores reads the same.
    EXPECT(std::atomic_ref(around.object).load(relaxed) == other.object);
    std::thread([&] {
      EXPECT(std::atomic_ref(around.object).load(relaxed) == other.object);
    }).join();
    EXPECT(around.object == other.object);
  }
}

// Plainly, by atomic_ref, and plainly again, with threads that have been there all the time.
void Alternate() {
  alignas(8) int object = 0;
  alignas(8) atomic<int> phase{0};
  std::thread reader([&] {
    for (int i = 1; i <= 5; i++) {
      while (phase.load(acquire) < 2 * i - 1) {
      }
      const int found = std::atomic_ref(object).load(relaxed);
      EXPECT(found == 10 * i || found == 10 * i + 1);
      phase.store(2 * i, release);
    }
  });
  for (int i = 1; i <= 5; i++) {
    object = 10 * i;
    phase.store(2 * i - 1, release);
    EXPECT(std::atomic_ref(object).fetch_add(1, relaxed) == 10 * i);
    while (phase.load(acquire) < 2 * i) {
    }
    EXPECT(object == 10 * i + 1);
  }
  reader.join();
}

int main() {
  Read([](Around *to, const Around *from) { memcpy(to, from, sizeof(*to)); });
  Read([](Around *to, const Around *from) { memmove(to, from, sizeof(*to)); });
  Read([](Around *to, const Around *from) { std::copy(from, from + 1, to); });
  Read([](Around *to, const Around *from) { *to = *from; });
  Read([](Around *to, const Around *from) {
    *to = {7, 2, 8};
    if (memcmp(to, from, sizeof(*to)))
      to->object = 4;
  });
  Alternate();
  printf("done\n");
}
