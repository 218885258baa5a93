// Under logical time the time stamp counter tells logical time, if the program reads it: together with the
// clocks, the same for the same seed and in a replay, in threads and handlers; and whoever reads it
// until a time has come does not wait for long. Programs that are started read the processor's.
//
// REQUIRES: x86_64
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 %t
// RUN: %every_schedule --seeds 1 --options rdtsc=logical %t
// RUN: %record_and_play %t print
// RUN: env TSAN_OPTIONS="schedule=random rdtsc=processor" %t processor
// RUN: env TSAN_OPTIONS="schedule=random real_sleep=1" %t processor
#include "heddle_test.h"
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <x86intrin.h>

const unsigned long long kSecond = 2000000000; // 2 GHz

static unsigned long long in_handler;
static bool prints;

static double Monotonic() {
  timespec now;
  EXPECT(!clock_gettime(CLOCK_MONOTONIC, &now));
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static void Print(const char *where) {
  unsigned processor = 0;
  const unsigned long long first = __rdtsc(), second = __rdtscp(&processor);
  EXPECT(first < second);
  if (prints)
    printf("%s: %llx %llx %x\n", where, first, second, processor);
}

static void ExpectEnd(pid_t process) {
  int status = 1;
  EXPECT(waitpid(process, &status, 0) == process && !status);
}

int main(int count, char **arguments) {
  if (count > 1 && !strcmp(arguments[1], "child"))
    return __rdtsc() < __rdtsc() ? 0 : 1;
  prints = count > 1 && !strcmp(arguments[1], "print");
  if (count > 1 && !prints) {
    const unsigned long long first = __rdtsc();
    usleep(1000);
    EXPECT(first < __rdtsc());
    return 0;
  }
  Print("main");
  unsigned long long before = __rdtsc();
  sleep(100);
  const unsigned long long slept = __rdtsc() - before;
  EXPECT(slept >= 100 * kSecond && slept < 101 * kSecond);
  // A minute of it, and the clocks agree.
  const double start = Monotonic();
  before = __rdtsc();
  while (__rdtsc() - before < 60 * kSecond) {
  }
  const double waited = Monotonic() - start;
  EXPECT(waited >= 60 && waited < 61);
  for (int i = 0; i < 2; i++)
    std::thread([] { Print("thread"); }).join();
  struct sigaction action = {};
  action.sa_handler = [](int) { in_handler = __rdtsc(); };
  EXPECT(!sigaction(SIGUSR1, &action, nullptr) && !raise(SIGUSR1));
  EXPECT(in_handler > before);

  // Others.
  EXPECT(!system("true"));
  pid_t process;
  char *words[] = {arguments[0], const_cast<char *>("child"), nullptr};
  char *environment[] = {nullptr};
  EXPECT(!posix_spawn(&process, arguments[0], nullptr, nullptr, words, environment));
  ExpectEnd(process);
  const auto child = [](auto execute) {
    const pid_t process = fork();
    if (!process) {
      execute();
      _exit(1);
    }
    ExpectEnd(process);
  };
  child([&] { execve(arguments[0], words, environment); });
  child([&] { execle(arguments[0], arguments[0], "child", nullptr, environment); });
  child([&] {
    execv("/nowhere", words);
    execl(arguments[0], arguments[0], "child", nullptr);
  });
  Print("end");
}
