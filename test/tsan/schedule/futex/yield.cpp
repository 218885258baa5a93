// Threads that wait for each other in loops with yields get on under every strategy.
//
// RUN: %clangxx_heddle %s -I%S/Inputs -o %t && %every_schedule %t
#include "futex_test.h"
#include <thread>

std::atomic<int> turn;

static void TakeTurns(int me) {
  for (int i = 0; i < 10; i++) {
    while (turn % 3 != me) {
      switch (i % 3) {
      case 0:
        sched_yield();
        break;
      case 1:
        std::this_thread::yield();
        break;
      default:
        EXPECT(syscall(SYS_sched_yield) == 0);
      }
    }
    turn++;
  }
}

int main() {
  std::thread first(TakeTurns, 1), second(TakeTurns, 2);
  TakeTurns(0);
  first.join();
  second.join();
  EXPECT(turn == 30);
}
