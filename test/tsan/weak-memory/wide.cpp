// Objects of 16 bytes have a history with mograph: store buffering and a stale message are seen,
// in one half as in the other, release and acquire forbid the latter. Memory holds the last store
// in modification order, which need not be the last that was executed (2+2W). Plain writes to
// either half count. buffer leaves such objects to the hardware.
//
// RUN: %clangxx_heddle %cx16 %s -o %t -latomic
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph seed=1" %expect_clean %t
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph seed=1" %t | %FileCheck --check-prefixes=CHECK,MOGRAPH %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=buffer seed=1" %t | %FileCheck --check-prefixes=CHECK,HARDWARE %s
// RUN: env TSAN_OPTIONS="weak_memory=buffer seed=1" %expect_clean %t
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph read_policy=newest seed=1" %t | %FileCheck --check-prefixes=CHECK,HARDWARE %s
//
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph stale_reads=print seed=1" %t 2>&1 | %FileCheck --check-prefix=NOTE %s
// NOTE: Stale read of 0x50000000000000004 at
#include "heddle_test.h"
#include <cstring>
#include <thread>

struct Wide {
  long low, high;
  bool operator==(const Wide &) const = default;
};

struct Locations {
  alignas(16) atomic<Wide> x{Wide{4, 5}};
  alignas(16) atomic<Wide> y{Wide{4, 5}};
};

constexpr Wide first{4, 5}, low{6, 5}, high{4, 6}, both{6, 6};

template <class One, class Other, class Wanted>
void Count(const char *name, One one, Other other, Wanted wanted) {
  int count = 0;
  for (int i = 0; i < 200; i++) {
    auto *at = new Locations;
    Wide a{}, b{};
    std::thread thread([&] { one(*at, a); });
    other(*at, b);
    thread.join();
    count += wanted(*at, a, b);
    delete at;
  }
  printf("%s: %s\n", name, count ? "seen" : "never");
}

void StoreBuffering(const char *name, Wide value, std::memory_order order) {
  Count(
      name, [=](Locations &at, Wide &a) { at.x.store(value, order); a = at.y.load(order); },
      [=](Locations &at, Wide &b) { at.y.store(value, order); b = at.x.load(order); },
      [](Locations &, Wide a, Wide b) { return a == first && b == first; });
}

void Message(const char *name, std::memory_order store, std::memory_order load) {
  Count(
      name, [=](Locations &at, Wide &) { at.x.store(high, relaxed); at.y.store(low, store); },
      [=](Locations &at, Wide &b) {
        if (at.y.load(load) == low)
          b = at.x.load(relaxed);
      },
      [](Locations &, Wide, Wide b) { return b == first; });
}

// What memory holds is what an atomic load reads when all is over, and the first of two.
void OppositeOrder() {
  Count(
      "2+2W", [](Locations &at, Wide &) { at.x.store(low, relaxed); at.y.store(high, relaxed); },
      [](Locations &at, Wide &) { at.y.store(both, relaxed); at.x.store(both, relaxed); },
      [](Locations &at, Wide, Wide) {
        Wide x, y;
        memcpy(&x, &at.x, sizeof(x));
        memcpy(&y, &at.y, sizeof(y));
        EXPECT(x == at.x.load(relaxed) && y == at.y.load(relaxed));
        return x == low && y == both;
      });
}

// A failed exchange reads what is there or was, one that succeeds stores both halves.
void CompareExchange() {
  Count(
      "stale failure", [](Locations &at, Wide &) { at.x.store(high, relaxed); at.y.store(low, relaxed); },
      [](Locations &at, Wide &b) {
        if (at.y.load(relaxed) != low)
          return;
        b = low;
        EXPECT(!at.x.compare_exchange_strong(b, both, relaxed));
        EXPECT(b == first || b == high);
        Wide found = high;
        while (!at.x.compare_exchange_strong(found, both, relaxed)) {
          EXPECT(found == first);
          found = high;
        }
        EXPECT(at.x.load(relaxed) == both);
      },
      [](Locations &, Wide, Wide b) { return b == first; });
}

union Mixed {
  atomic<Wide> object;
  Wide plain;
  Mixed() : plain{0, 0} {}
};

// What is in memory, whatever the runtime would say.
__attribute__((noinline, disable_sanitizer_instrumentation)) Wide Raw(const volatile Mixed *mixed) {
  return {mixed->plain.low, mixed->plain.high};
}

// Two threads store in no order, and one half is written plainly when both have ended, with a new
// value or with the one that is there. Neither store is read after that.
void PlainWrite(long Wide::*half, bool keep) {
  for (int i = 0; i < 30; i++) {
    alignas(16) Mixed mixed;
    atomic<bool> written{false};
    Wide expected;
    std::thread reader([&] {
      while (!written.load(acquire)) {
      }
      for (int j = 0; j < 3; j++)
        EXPECT(mixed.object.load(relaxed) == expected);
    });
    std::thread one([&] { mixed.object.store(low, relaxed); });
    std::thread other([&] { mixed.object.store(high, relaxed); });
    one.join();
    other.join();
    expected = Raw(&mixed);
    if (!keep)
      expected.*half = 100;
    mixed.plain.*half = expected.*half;
    written.store(true, release);
    reader.join();
    EXPECT(mixed.plain == expected);
  }
}

int main() {
  StoreBuffering("store buffering, low", low, relaxed);
  StoreBuffering("store buffering, high", high, relaxed);
  StoreBuffering("store buffering, seq_cst", both, seq_cst);
  Message("message", relaxed, relaxed);
  Message("message, release and acquire", release, acquire);
  OppositeOrder();
  CompareExchange();
  for (bool keep : {false, true}) {
    PlainWrite(&Wide::low, keep);
    PlainWrite(&Wide::high, keep);
  }
  // MOGRAPH: store buffering, low: seen
  // MOGRAPH: store buffering, high: seen
  // HARDWARE: store buffering, low: never
  // HARDWARE: store buffering, high: never
  // CHECK: store buffering, seq_cst: never
  // MOGRAPH: message: seen
  // HARDWARE: message: never
  // CHECK: message, release and acquire: never
  // MOGRAPH: 2+2W: seen
  // MOGRAPH: stale failure: seen
  // HARDWARE: stale failure: never
}
