// Sleeps take no time, and the clocks show that they took theirs: each kind of sleep and clock, hours
// of them. Invalid times are refused.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 %t
#include "heddle_test.h"
#include <chrono>
#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <thread>
#include <unistd.h>

const long kLong = 5000; // seconds

static double Monotonic() {
  timespec now;
  EXPECT(!clock_gettime(CLOCK_MONOTONIC, &now));
  return now.tv_sec + now.tv_nsec * 1e-9;
}

template <class Sleep> static void ExpectLong(const char *name, const Sleep &sleep) {
  double start = Monotonic();
  sleep();
  double slept = Monotonic() - start;
  if (slept < kLong || slept > kLong + 1) {
    fprintf(stderr, "%s: %f seconds\n", name, slept);
    _exit(1);
  }
}
#define EXPECT_LONG(call) ExpectLong(#call, [&] { EXPECT(!(call)); })

static void Sleeps() {
  timespec time = {kLong, 0}, left, until;
  timeval limit = {kLong, 0};
  EXPECT_LONG(sleep(kLong));
  EXPECT_LONG(usleep(unsigned(kLong / 2 * 1000000)) || usleep(unsigned(kLong / 2 * 1000000)));
  EXPECT_LONG(nanosleep(&time, &left));
  EXPECT_LONG(clock_nanosleep(CLOCK_REALTIME, 0, &time, nullptr));
  EXPECT_LONG(clock_nanosleep(CLOCK_MONOTONIC, 0, &time, &left));
  for (int clock : {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME}) {
    clock_gettime(clock, &until);
    until.tv_sec += kLong;
    EXPECT_LONG(clock_nanosleep(clock, TIMER_ABSTIME, &until, nullptr));
    EXPECT(!clock_nanosleep(clock, TIMER_ABSTIME, &until, nullptr)); // past
  }
  EXPECT_LONG(poll(nullptr, 0, kLong / 2 * 1000) || poll(nullptr, 0, kLong / 2 * 1000));
  EXPECT_LONG(ppoll(nullptr, 0, &time, nullptr));
  EXPECT_LONG(select(0, nullptr, nullptr, nullptr, &limit));
  EXPECT_LONG(pselect(0, nullptr, nullptr, nullptr, &time, nullptr));
  ExpectLong("sleep_for", [] { std::this_thread::sleep_for(std::chrono::seconds(kLong)); });
  ExpectLong("sleep_until", [] {
    std::this_thread::sleep_until(std::chrono::system_clock::now() + std::chrono::seconds(kLong));
  });
  timespec wrong = {0, 1000000000};
  EXPECT(nanosleep(&wrong, nullptr) == -1 && errno == EINVAL);
  EXPECT(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, nullptr) == EINVAL);
}

// All clocks of the time of day agree, and none goes backwards.
static void Clocks() {
  timespec first, last, c11;
  timeval day;
  timeb old;
  EXPECT(!clock_gettime(CLOCK_REALTIME, &first));
  time_t seconds = time(nullptr), same;
  EXPECT(seconds >= first.tv_sec && time(&same) == same);
  EXPECT(!gettimeofday(&day, nullptr) && day.tv_sec >= seconds);
  EXPECT(timespec_get(&c11, TIME_UTC) == TIME_UTC && c11.tv_sec >= day.tv_sec);
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  EXPECT(!ftime(&old) && old.time >= c11.tv_sec);
  EXPECT(!clock_gettime(CLOCK_REALTIME, &last));
  EXPECT(last.tv_sec >= old.time && last.tv_sec - first.tv_sec <= 1);
  timespec coarse, monotonic, used;
  EXPECT(!clock_gettime(CLOCK_MONOTONIC, &monotonic));
  EXPECT(!clock_gettime(CLOCK_MONOTONIC_COARSE, &coarse));
  EXPECT(coarse.tv_sec - monotonic.tv_sec <= 1 && monotonic.tv_sec - coarse.tv_sec <= 1);
  // The CPU has not been used for hours.
  EXPECT(!clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) && used.tv_sec < kLong);
  EXPECT(!clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) && used.tv_sec < kLong);
  EXPECT(clock_gettime(1234, &used) == -1 && errno == EINVAL);
}

int main() {
  Clocks();
  Sleeps();
  Clocks();
}
