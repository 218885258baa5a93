// A thread that only computes is waited for however many time slices it takes, also if the program
// has a library that is not instrumented: the schedule follows from the seed.
//
// RUN: %system_clangxx -DLIBRARY -O1 -fPIC -shared %s -o %t.so
// RUN: %clangxx_heddle %s %t.so -o %t
// RUN: %every_schedule --seeds 1 --options time_slice_ms=1 %t
#ifdef LIBRARY

extern "C" int Nothing() { return 0; }

#else

#include <atomic>
#include <cstdint>
#include <thread>

extern "C" int Nothing();

static std::atomic<uint32_t> result;

static void Run(uint32_t seed) {
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 10'000'000; i++) { // no access, no call
      seed = seed * 1664525 + 1013904223;
      asm volatile("" : "+r"(seed));
    }
    result.fetch_xor(seed);
  }
}

int main() {
  std::thread first(Run, 1), second(Run, 2);
  first.join();
  second.join();
  return Nothing();
}

#endif
