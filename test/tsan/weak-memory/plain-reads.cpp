// Modification order may differ from the order of execution. Whoever reads plainly, or has
// the kernel or other code read, when all stores are over, finds the same as an atomic load,
// before and after it.
//
// RUN: %clangxx_heddle %s -o %t && %every_engine --seeds 10 %t
// RUN: %every_engine --scheduled --seeds 2 --options read_policy=oldest %t
#include "heddle_test.h"
#include <cstring>
#include <thread>

template <class First, class Second> void Both(const First &first, const Second &second) {
  std::thread one(first), two(second);
  one.join();
  two.join();
}

__attribute__((noinline)) int Plain(const int *location) { return *location; }
__attribute__((noinline, disable_sanitizer_instrumentation)) int Raw(const int *location) {
  return *static_cast<const volatile int *>(location);
}

template <class Store> void Round(const Store &store) {
  auto *location = new int(0);
  Both([&] { store(location, 1); }, [&] { store(location, 2); });
  int plain = Plain(location);
  int found = std::atomic_ref(*location).load(relaxed);
  EXPECT(found == plain);
  EXPECT(Plain(location) == plain);

  *location = 0;
  Both([&] { store(location, 1); }, [&] { store(location, 2); });
  found = std::atomic_ref(*location).load(relaxed);
  EXPECT(Raw(location) == found);
  EXPECT(Plain(location) == found);
  int copy;
  memcpy(&copy, location, sizeof(copy));
  EXPECT(copy == found);
  delete location;
}

int main() {
  for (int i = 0; i < 20; i++) {
    Round([](int *location, int value) { std::atomic_ref(*location).store(value, relaxed); });
    Round([](int *location, int value) {
      std::atomic_ref(*location).store(value, relaxed);
      std::atomic_ref(*location).load(relaxed);
    });
    // An RMW may come between two stores.
    Round([](int *location, int value) {
      std::atomic_ref(*location).store(value, relaxed);
      std::atomic_ref(*location).fetch_add(10, relaxed);
    });
    Round([](int *location, int value) {
      std::atomic_ref(*location).store(value, relaxed);
      std::atomic_ref(*location).compare_exchange_strong(value, 10, relaxed);
      std::atomic_ref(*location).store(value + 5, relaxed);
    });
    Round([](int *location, int value) {
      int old = 0;
      std::atomic_ref(*location).compare_exchange_strong(old, value, relaxed);
      std::atomic_ref(*location).store(value + 5, relaxed);
      std::atomic_ref(*location).load(relaxed);
    });
  }
}
