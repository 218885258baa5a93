// REQUIRES: gcc

// Atomic operations of every size in objects by g++. 16 bytes are beyond plain
// x86-64 and is_lock_free() asks libatomic, but the operations are the runtime's.
// RUN: g++ -std=c++17 -O1 -g -Wall -Werror -fsanitize=thread -c %s -o %t.o
// RUN: %nm %t.o | %FileCheck --check-prefix=CALLS %s
// RUN: %heddle-clang++ -fsanitize=thread %t.o -o %t
// RUN: %t 2>&1 | %FileCheck %s
// CALLS: __tsan_atomic128_load
// CALLS: __tsan_atomic16_fetch_add
// CALLS: __tsan_atomic32_fetch_add
// CALLS: __tsan_atomic64_fetch_add
// CALLS: __tsan_atomic8_fetch_add
// CHECK-NOT: WARNING
// CHECK: 1 bytes: 40000
// CHECK: 2 bytes: 40000
// CHECK: 4 bytes: 40000
// CHECK: 8 bytes: 40000
// CHECK: 16 bytes: 40000
// CHECK-NOT: WARNING
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>

constexpr int kTimes = 20000;

template <typename T>
struct Counter {
  std::atomic<T> value{0};
  long overflows = 0;  // guarded by lock
  std::atomic<T> lock{0};

  void Run() {
    for (int i = 0; i < kTimes; i++) {
      if (static_cast<T>(value.fetch_add(1) + 1) == 0) {
        T expected = 0;
        while (!lock.compare_exchange_weak(expected, 1, std::memory_order_acquire, std::memory_order_relaxed))
          expected = 0;
        overflows++;
        lock.store(0, std::memory_order_release);
      }
    }
  }
  // The bits that fit, and how often they did not.
  long Total() {
    // Each of these leaves the value as it was.
    value.fetch_sub(1);
    value.fetch_add(1);
    value.fetch_or(0);
    value.fetch_xor(0);
    value.fetch_and(static_cast<T>(~T{0}));
    value.exchange(value.load());
    return overflows * (sizeof(T) < 8 ? 1l << (8 * sizeof(T)) : 0) + static_cast<long>(value.load());
  }
};

struct alignas(16) Pair {
  std::uint64_t low, high;
};
static Pair pair;

static void RunPair() {
  for (int i = 0; i < kTimes; i++) {
    Pair expected, next;
    do {
      __atomic_load(&pair, &expected, __ATOMIC_ACQUIRE);
      next = {expected.low + 1, expected.high + 1};
    } while (!__atomic_compare_exchange(&pair, &expected, &next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  }
}

template <typename T>
void Test() {
  static Counter<T> counter;
  std::thread other([] { counter.Run(); });
  counter.Run();
  other.join();
  std::printf("%zu bytes: %ld\n", sizeof(T), counter.Total());
}

int main() {
  Test<std::uint8_t>();
  Test<std::uint16_t>();
  Test<std::uint32_t>();
  Test<std::uint64_t>();
  std::thread other(RunPair);
  RunPair();
  other.join();
  std::printf("16 bytes: %ld\n", pair.low == pair.high ? static_cast<long>(pair.low) : -1);
}
