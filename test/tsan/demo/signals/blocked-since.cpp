// A signal to the process, which the kernel gives to the one thread that has not blocked it; but that
// does so before its next operation, where a recording would have it handled. Another thread lets it in,
// and gets it, as it would from the kernel.
//
// REQUIRES: x86_64
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
// CHECK: handled by main
#include "heddle_test.h"
#include <signal.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static std::atomic<int> handled;
static thread_local bool is_main;

static long Unseen(long number, long first = 0, long second = 0) {
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(first), "S"(second)
               : "rcx", "r11", "memory");
  return result;
}

// Sends it out of the runtime's sight, as from elsewhere: it is there when the call returns.
static void SignalFromOutside() { EXPECT(!Unseen(SYS_kill, Unseen(SYS_getpid), SIGUSR1)); }

int main() {
  is_main = true;
  struct sigaction action = {};
  action.sa_handler = [](int) { handled = is_main ? 1 : 2; };
  EXPECT(!sigaction(SIGUSR1, &action, nullptr));
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  EXPECT(!pthread_sigmask(SIG_BLOCK, &signals, nullptr));
  std::thread([&] {
    EXPECT(!pthread_sigmask(SIG_UNBLOCK, &signals, nullptr));
    SignalFromOutside();
    EXPECT(!pthread_sigmask(SIG_BLOCK, &signals, nullptr));
  }).join();
  EXPECT(!handled);
  EXPECT(!pthread_sigmask(SIG_UNBLOCK, &signals, nullptr));
  while (!handled) {
  }
  printf("handled by %s\n", handled == 1 ? "main" : "another thread");
}
