// The lock-free part of heddle/model/common_past.h, under the runtime that it is a part of: in
// no execution is a thread asking while another changes something. With both engines of weak
// memory: all executions of one asker and one thread that changes, many with two askers.
//
// RUN: %clangxx_heddle -I%source_dir/lib %s -o %t
// RUN: %t 2>&1 | %FileCheck %s
// CHECK: heddle::Exhaust: all {{[0-9]+}} executions, 0 failed.
// CHECK: buffer, one asker: answered and refused
// CHECK: heddle::Exhaust: all {{[0-9]+}} executions, 0 failed.
// CHECK: mograph, one asker: answered and refused
// CHECK: buffer, two askers: answered and refused
// CHECK: mograph, two askers: answered and refused
//
// It takes seq_cst: with acquire in its place an asker and the other may miss each other.
// RUN: %clangxx_heddle -DWRONG -I%source_dir/lib %s -o %t.wrong
// RUN: not %t.wrong 2>&1 | %FileCheck --check-prefix=WRONG %s
// WRONG: ThreadSanitizer: data race
#include <sanitizer/heddle_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <vector>
#ifdef WRONG
#undef __ATOMIC_SEQ_CST
#define __ATOMIC_SEQ_CST __ATOMIC_ACQUIRE
#endif
#include "heddle/model/common_past.h"

struct Policy {
  using Clock = __heddle::SmallClock<4>;
  using Value = int;
  static void *Allocate(size_t bytes) { return malloc(bytes); }
  static void Free(void *memory) { free(memory); }
  static constexpr bool kConcurrent = true;
  static constexpr bool kSlotsReused = false;
  static unsigned FirstEpoch(unsigned) { return 0; }
};

using Past = __heddle::CommonPast<Policy>;
using Thread = Past::Thread;

int answered, refused;

void Body(int askers) {
  Past past(false);
  Thread changer(0), first(1), second(2);
  past.Begin(&changer);
  past.Begin(&first);
  past.Begin(&second);
  // Plain: if it is written while an asker is inside, that is a data race.
  int what = 1;
  std::vector<std::thread> threads;
  int answers[2] = {};
  for (int i = 0; i < askers; i++)
    threads.emplace_back([&, i] {
      Thread *self = i ? &second : &first;
      if (!past.BeginAsking(self))
        return;
      answers[i] = what;
      past.EndAsking(self);
    });
  past.Lock();
  what = 2;
  past.Unlock();
  for (auto &thread : threads)
    thread.join();
  for (int i = 0; i < askers; i++)
    ++(answers[i] ? answered : refused);
  past.End(&second);
  past.End(&first);
  past.End(&changer);
}

bool Report(const char *engine, const char *name, const heddle::Result &result) {
  fprintf(stderr, "%s, %s: %s and %s\n", engine, name, answered ? "answered" : "-",
          refused ? "refused" : "-");
  answered = refused = 0;
  return !result.failed;
}

int main() {
  bool good = true;
  for (const char *engine : {"buffer", "mograph"}) {
    heddle::Options options;
    options.weak_memory = engine;
    heddle::Result result = heddle::Exhaust(options, [] { Body(1); });
    good &= Report(engine, "one asker", result) && result.complete;
  }
  for (const char *engine : {"buffer", "mograph"}) {
    heddle::Options options;
    options.weak_memory = engine;
    options.seed = 1;
    options.executions = 500;
    good &= Report(engine, "two askers", heddle::Explore(options, [] { Body(2); }));
  }
  return !good;
}
