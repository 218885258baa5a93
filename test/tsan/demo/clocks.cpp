// Clocks: logical time starts when the recording did; the system's time is recorded.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
// RUN: %record_and_play --options real_sleep=1 %t | %FileCheck %s
#include "heddle_test.h"
#include <string>
#include <sys/resource.h>
#include <sys/time.h>
#include <thread>
#include <time.h>

static std::string Look() {
  std::string text;
  for (clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_PROCESS_CPUTIME_ID,
                          CLOCK_THREAD_CPUTIME_ID}) {
    timespec now;
    EXPECT(!clock_gettime(clock, &now));
    text += std::to_string(now.tv_sec) + "." + std::to_string(now.tv_nsec) + " ";
  }
  timeval day;
  rusage usage;
  EXPECT(!gettimeofday(&day, nullptr) && !getrusage(RUSAGE_SELF, &usage));
  for (long each : {long(day.tv_sec), long(day.tv_usec), long(time(nullptr)), long(clock()),
                    long(usage.ru_utime.tv_usec)})
    text += std::to_string(each) + " ";
  return text + "\n";
}

int main() {
  std::string here, there;
  std::thread other([&] {
    for (int i = 0; i < 3; i++)
      there += Look();
  });
  const timespec soon = {0, 100000};
  for (int i = 0; i < 3; i++) {
    here += Look();
    EXPECT(!nanosleep(&soon, nullptr));
  }
  other.join();
  printf("main: %sother: %send\n", here.c_str(), there.c_str());
}
// CHECK: main: {{[0-9]+}}.
// CHECK: other: {{[0-9]+}}.
// CHECK: end
