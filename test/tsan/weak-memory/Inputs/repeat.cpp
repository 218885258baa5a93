// Three threads that store, load and exchange; what they do depends on what they read.
#include "heddle_test.h"
#include <thread>

struct Location {
  alignas(8) atomic<unsigned> value{0};
};
Location locations[4];

void Wander(unsigned at) {
  for (int i = 0; i < 30; i++) {
    Location &location = locations[at % 4];
    switch (at / 4 % 5) {
    case 0:
      at += location.value.load(relaxed);
      break;
    case 1:
      location.value.store(at, i % 2 ? relaxed : release);
      break;
    case 2:
      at += location.value.fetch_add(7, acq_rel);
      break;
    case 3: {
      unsigned expected = at % 8;
      at += location.value.compare_exchange_weak(expected, at) + expected;
      break;
    }
    case 4:
      atomic_thread_fence(seq_cst);
      at += location.value.load(acquire);
      break;
    }
    at = at * 5 + 3;
  }
}

int main() {
  for (int i = 0; i < 5; i++) {
    std::thread first(Wander, i), second(Wander, i + 17), third(Wander, i + 40);
    first.join();
    second.join();
    third.join();
  }
}
