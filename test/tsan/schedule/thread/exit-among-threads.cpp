// The process ends while other threads still run: by return from main, by exit, quick_exit, _exit and
// _Exit, in the main thread and in another. Handlers and static destructors are part of the schedule.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_schedule --seeds 2 %t return | %FileCheck %s --check-prefixes=ATEXIT,STATIC
// RUN: %every_schedule --seeds 2 %t exit | %FileCheck %s --check-prefixes=ATEXIT,STATIC
// RUN: %every_schedule --seeds 2 %t quick_exit | %FileCheck %s --check-prefix=QUICK
// RUN: %every_schedule --seeds 2 --exit 7 %t _exit
// RUN: %every_schedule --seeds 2 --exit 7 %t _Exit
// RUN: %every_schedule --seeds 2 %t other exit | %FileCheck %s --check-prefixes=ATEXIT,STATIC
// RUN: %every_schedule --seeds 2 %t other quick_exit | %FileCheck %s --check-prefix=QUICK
// RUN: %every_schedule --seeds 2 --exit 7 %t other _exit
// RUN: %every_schedule --seeds 2 --exit 7 %t other _Exit
#include "heddle_test.h"
#include <string>
#include <unistd.h>

static atomic<int> x;
struct Static {
  ~Static() {
    x += 2;
    puts("static destructor");
  }
} static_object;

static void *RunForEver(void *) {
  for (;;) {
    x++;
    sched_yield();
  }
  return nullptr;
}

static std::string how;
static void End() {
  if (how == "exit")
    exit(0);
  if (how == "quick_exit")
    quick_exit(0);
  if (how == "_exit")
    _exit(7);
  if (how == "_Exit")
    _Exit(7);
}
static void *EndInThread(void *) {
  End();
  return nullptr;
}

int main(int argc, char **argv) {
  how = argv[argc - 1];
  atexit([] {
    x += 3;
    puts("atexit");
  });
  at_quick_exit([] {
    x += 4;
    puts("at_quick_exit");
    fflush(stdout);
  });
  pthread_t thread;
  pthread_create(&thread, nullptr, RunForEver, nullptr);
  pthread_create(&thread, nullptr, RunForEver, nullptr);
  if (argc == 3) {
    pthread_create(&thread, nullptr, EndInThread, nullptr);
    RunForEver(nullptr);
  }
  End();
  // ATEXIT: atexit
  // STATIC: static destructor
  // QUICK-NOT: atexit
  // QUICK: at_quick_exit
  // QUICK-NOT: static
}
