// A program with what a fork does not take along never becomes a server: a timer that runs, a child.
// It runs to its end, and the client can start it for each execution.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %fork_server "schedule=random" %t interval -- | %FileCheck %s
// RUN: %fork_server "schedule=random" %t timer -- | %FileCheck %s
// RUN: %fork_server "schedule=random" %t child -- | %FileCheck %s
//
// CHECK: gone
// CHECK: server 0
//
// Timers that are over are none, nor are children that have been waited for.
// RUN: %fork_server "schedule=random" %t before -- | %FileCheck %s --check-prefix=BEFORE
// BEFORE: ready
#include <csignal>
#include <ctime>
#include <string>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static void SetInterval(int seconds) {
  itimerval interval = {};
  interval.it_value.tv_sec = seconds;
  setitimer(ITIMER_REAL, &interval, nullptr);
}

static pid_t Fork() {
  const pid_t child = fork();
  if (child == 0)
    _exit(0);
  return child;
}

int main(int, char **arguments) {
  const std::string what = arguments[1];
  pid_t child = 0;
  if (what == "interval") {
    SetInterval(1000);
  } else if (what == "timer") {
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, nullptr, &timer);
    itimerspec time = {};
    time.it_value.tv_sec = 1000;
    timer_settime(timer, 0, &time, nullptr);
  } else if (what == "child") {
    child = Fork();
  } else {
    SetInterval(1000);
    SetInterval(0);
    waitpid(Fork(), nullptr, 0);
  }
  std::thread([] {}).join();
  if (child)
    waitpid(child, nullptr, 0);
}
