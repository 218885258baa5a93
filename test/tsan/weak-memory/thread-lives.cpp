// A new thread on the stack and in the thread-local storage of one that has ended sees
// nothing of what was stored there before. Neither is initialised by instrumented code:
// a thread_local gets its value from the C library.
//
// RUN: %clangxx_heddle %s -o %t && %every_engine %t | %FileCheck %s
// RUN: %every_engine --scheduled --seeds 2 --options "read_policy=oldest" %t
#include "Inputs/lives.h"

thread_local atomic<int> local{7}; // a value that the first life stores too

template <class Body> void OnThread(const Body &body) { std::thread(body).join(); }

bool ThreadLocal(Lives &lives) {
  bool reused;
  OnThread([&] { lives.First(&local); });
  OnThread([&] {
    lives.SetValue(7);
    reused = lives.Second(&local);
  });
  return reused;
}

struct alignas(256) Frame {
  atomic<int> object;
  explicit Frame(int value) : object(value) { asm volatile("" ::"r"(this) : "memory"); }
};

bool Stack(Lives &lives) {
  bool reused;
  OnThread([&] {
    Frame frame(0);
    lives.First(&frame.object);
  });
  OnThread([&] {
    Frame frame(lives.value());
    reused = lives.Second(&frame.object);
  });
  return reused;
}

int main() {
  Repeat("thread_local", ThreadLocal);
  Repeat("stack", Stack);
  // CHECK: thread_local: reused
  // CHECK: stack: reused
}
