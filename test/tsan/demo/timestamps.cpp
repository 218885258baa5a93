// With record_rdtsc=1 a replay reads the same time stamps as the recording: in all threads, in
// signal handlers, by both instructions. Clocks work as ever, a fault that is the program's own is
// the program's, and other programs that it starts may read the counter.
//
// REQUIRES: x86_64
// RUN: %clangxx_heddle %s -o %t && %record_and_play --options record_rdtsc=1 %t
// RUN: %record_and_play --options "record_rdtsc=1 handle_segv=0 real_sleep=1" %t
//
// Without it they are what they are.
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random rdtsc=processor record_demo=%t.demo" %t > %t.out
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t | not diff -q %t.out -
//
// Nor is anything changed without a demo.
// RUN: env TSAN_OPTIONS="schedule=random record_rdtsc=1" %t
//
// A crash is still one.
// RUN: rm -rf %t.demo && %expect_exit 66 env TSAN_OPTIONS="schedule=random record_rdtsc=1 record_demo=%t.demo" %t crash 2>&1 | %FileCheck %s --check-prefix=CRASH
// CRASH: ThreadSanitizer:DEADLYSIGNAL
// CRASH: SEGV on unknown address
#include "heddle_test.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static sigjmp_buf before;
static unsigned long long in_handler;

static void Print(const char *where) {
  unsigned processor = 0;
  const unsigned long long first = __rdtsc(), second = __rdtscp(&processor);
  EXPECT(first < second);
  printf("%s: %llx %llx %x\n", where, first, second, processor);
}

int main(int argc, char **) {
  if (argc > 1) {
    Print("before the crash");
    *reinterpret_cast<volatile int *>(16) = 1;
  }
  Print("main");
  for (int i = 0; i < 2; i++) {
    std::thread([] {
      sigset_t all;
      sigfillset(&all);
      EXPECT(!pthread_sigmask(SIG_SETMASK, &all, nullptr));
      Print("thread");
    }).join();
  }

  // Clocks, by all of libc's ways.
  timespec now = {};
  timeval day = {};
  EXPECT(!clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) && !clock_gettime(CLOCK_REALTIME, &now));
  EXPECT(!gettimeofday(&day, nullptr) && time(nullptr) > 0);

  // A fault of the program's own, and a time stamp where it is handled.
  struct sigaction action = {};
  action.sa_handler = [](int) { siglongjmp(before, 1); };
  EXPECT(!sigaction(SIGSEGV, &action, nullptr));
  if (!sigsetjmp(before, 1)) {
    *reinterpret_cast<volatile int *>(16) = 1;
    EXPECT(false);
  }
  Print("after a fault");
  action.sa_handler = [](int) { in_handler = __rdtsc(); };
  EXPECT(!sigaction(SIGUSR1, &action, nullptr) && !raise(SIGUSR1));
  printf("handler: %llx\n", in_handler);

  // Others.
  const int child = fork();
  if (!child) {
    const bool ticks = __rdtsc() < __rdtsc();
    _exit(ticks ? 0 : 1);
  }
  int status = 1;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  EXPECT(!system("true"));
  FILE *stream = popen("date > /dev/null", "r");
  EXPECT(stream && !pclose(stream));
  Print("end");
}
