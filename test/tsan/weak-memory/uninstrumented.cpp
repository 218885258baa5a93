// Code that is not instrumented writes to an atomic object: the value is seen at once, as
// there is no history with it. Nobody knows with which order it was written; so it
// continues what was released there before, and whoever acquires it is told no race.
//
// RUN: %system_clangxx -O1 -c %S/Inputs/plain.cpp -o %t.o
// RUN: %clangxx_heddle %s %t.o -o %t && %every_engine --seeds 10 %t
#include "heddle_test.h"
#include <thread>

extern "C" void PlainStore(int *location, int value);
extern "C" int PlainAdd(int *location, int value);

static void Round() {
  alignas(8) atomic<int> location{0};
  int *plain = reinterpret_cast<int *>(&location);
  int data = 0;
  alignas(8) atomic<bool> over{false};
  std::thread reader([&] {
    int found;
    while ((found = location.load(acquire)) < 5) {
    }
    EXPECT(data == 1); // no race
    while (!over.load(relaxed)) {
    }
    // There is one store since, and that was the hardware's.
    found = location.load(relaxed);
    EXPECT(found == 20 || found == 21);
  });
  for (int i = 1; i < 3; i++)
    location.store(i, relaxed);
  data = 1;
  location.store(3, release);
  PlainAdd(plain, 2);
  EXPECT(location.load(relaxed) == 5);
  PlainStore(plain, 20);
  EXPECT(location.load(relaxed) == 20);
  EXPECT(location.fetch_add(1, relaxed) == 20);
  over.store(true, relaxed);
  reader.join();
  EXPECT(PlainAdd(plain, 1) == 21);
  EXPECT(location.load(relaxed) == 22);
  int expected = 22;
  EXPECT(location.compare_exchange_strong(expected, 30, relaxed));
  EXPECT(PlainAdd(plain, 0) == 30);
}

int main() {
  for (int i = 0; i < 20; i++)
    Round();
}
