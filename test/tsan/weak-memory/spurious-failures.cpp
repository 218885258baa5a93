// A weak compare-exchange may fail though it reads the expected value, if the caller can be told:
// by the entry point that returns whether it succeeded, and not by the one that clang calls.
// A failure that reads an older value is seen with both, and with strong ones.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph seed=1" %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=buffer seed=1" %t | %FileCheck %s
#include "heddle_test.h"
#include <thread>

extern "C" int __tsan_atomic32_compare_exchange_weak(volatile unsigned *a, unsigned *expected,
                                                     unsigned desired, int order, int failure);

void Print(const char *name, int count) { printf("%s: %s\n", name, count ? "seen" : "never"); }

int main() {
  int by_entry = 0, by_clang = 0, stale = 0;
  for (int i = 0; i < 300; i++) {
    alignas(8) unsigned plain = 0;
    unsigned expected = 0;
    if (!__tsan_atomic32_compare_exchange_weak(&plain, &expected, 1, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED)) {
      EXPECT(expected == 0 && plain == 0);
      by_entry++;
    }

    alignas(8) atomic<int> alone{0};
    int wanted = 0;
    by_clang += !alone.compare_exchange_weak(wanted, 1, relaxed);

    alignas(8) atomic<int> x{0}, stored{0};
    std::thread other([&] {
      x.store(1, relaxed);
      stored.store(1, relaxed);
    });
    if (stored.load(relaxed)) {
      wanted = 1;
      if (!x.compare_exchange_strong(wanted, 2, relaxed)) {
        EXPECT(wanted == 0);
        stale++;
      }
    }
    other.join();
  }
  Print("by the entry point", by_entry);
  Print("by clang", by_clang);
  Print("strong, of an older value", stale);
  // CHECK: by the entry point: seen
  // CHECK: by clang: never
  // CHECK: strong, of an older value: seen
}
