// No thread sees a clock go backwards, nor less than it has slept, while others sleep too.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 %t
#include "heddle_test.h"
#include <thread>
#include <unistd.h>

static atomic<double> latest;

static double Monotonic() {
  timespec now;
  EXPECT(!clock_gettime(CLOCK_MONOTONIC, &now));
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static void Sleep(int seconds) {
  for (int i = 0; i < 10; i++) {
    double before = latest, start = Monotonic();
    EXPECT(start >= before);
    sleep(seconds);
    double end = Monotonic();
    EXPECT(end - start >= seconds);
    latest = end;
  }
}

int main() {
  std::thread first(Sleep, 1), second(Sleep, 10), third(Sleep, 100);
  first.join();
  second.join();
  third.join();
}
