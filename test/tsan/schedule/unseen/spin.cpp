// A thread that waits in a loop in a library that is not instrumented does nothing that the
// schedule sees. After a time slice it is away, and those that it waits for go on; a replay goes on
// at the same place. Without, this would not end.
//
// RUN: %system_clangxx -DLIBRARY -O1 -fPIC -shared %s -o %t.so
// RUN: %clangxx_heddle %s %t.so -o %t
// RUN: %every_schedule --kernel --seeds 2 --options time_slice_ms=5 %t | %FileCheck %s
// RUN: %every_schedule --kernel --seeds 1 --options "time_slice_ms=5 one_at_a_time=1" %t | %FileCheck %s
// RUN: %record_and_play --options time_slice_ms=5 %t
// CHECK: 3 turns
#ifdef LIBRARY

static int turn;

extern "C" void AwaitTurn(int mine) {
  while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != mine)
    ;
}
extern "C" void EndTurn() { __atomic_fetch_add(&turn, 1, __ATOMIC_RELEASE); }

#else

#include <atomic>
#include <cstdio>
#include <thread>

extern "C" void AwaitTurn(int mine);
extern "C" void EndTurn();

static std::atomic<int> turns;

static void Run(int mine) {
  AwaitTurn(mine);
  turns.fetch_add(1); // where a thread waits for its turn of the schedule
  EndTurn();
}

int main() {
  std::thread third(Run, 2), second(Run, 1);
  Run(0);
  second.join();
  third.join();
  printf("%d turns\n", turns.load());
}

#endif
