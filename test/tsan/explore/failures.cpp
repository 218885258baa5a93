// However an execution fails, what is said repeats it alone.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %python %S/../Inputs/explore-again 1 %t bool > %t.bool && %FileCheck --check-prefix=BOOL %s < %t.bool
// RUN: %python %S/../Inputs/explore-again 1 %t exception > %t.exception && \
// RUN:   %FileCheck --check-prefix=EXCEPTION %s < %t.exception
// RUN: %python %S/../Inputs/explore-again 66 %t race > %t.race && %FileCheck --check-prefix=RACE %s < %t.race
// RUN: %python %S/../Inputs/explore-again -6 %t assert > %t.assert && \
// RUN:   %FileCheck --check-prefix=ASSERT %s < %t.assert
// RUN: env TSAN_OPTIONS=detect_deadlocks=0 %python %S/../Inputs/explore-again 66 %t deadlock > %t.deadlock && \
// RUN:   %FileCheck --check-prefix=DEADLOCK %s < %t.deadlock
//
// BOOL: heddle::Explore: an execution has failed: the body says so.
// BOOL-NEXT: Execution: random, seed [[#SEED:]], tick [[#TICK:]]. To repeat it alone:
// BOOL-NEXT: HEDDLE_EXPLORE="seed=[[#SEED]] strategy=random name=test" {{.*}} bool
// BOOL: again, alone:
// BOOL: Execution: random, seed [[#SEED]], tick [[#TICK]].
// BOOL: 1 executions, 1 failed
//
// EXCEPTION: Execution: random, seed [[#SEED:]], tick [[#TICK:]].
// EXCEPTION: caught: they were both first
// EXCEPTION: again, alone:
// EXCEPTION: Execution: random, seed [[#SEED]], tick [[#TICK]].
// EXCEPTION: caught: they were both first
//
// RACE: WARNING: ThreadSanitizer: data race
// RACE: created by main thread
// RACE: Execution: random, seed [[#SEED:]], tick
// RACE: heddle::Explore: an execution has failed: see the report.
// RACE: again, alone:
// RACE: WARNING: ThreadSanitizer: data race
// RACE: Execution: random, seed [[#SEED]], tick
//
// ASSERT: ThreadSanitizer: failed assertion in thread T
// ASSERT: Execution: random, seed [[#SEED:]], tick [[#TICK:]].
// ASSERT: again, alone:
// ASSERT: Execution: random, seed [[#SEED]], tick [[#TICK]].
//
// DEADLOCK: WARNING: ThreadSanitizer: deadlock
// DEADLOCK: Execution: random, seed [[#SEED:]], tick [[#TICK:]].
// DEADLOCK: again, alone:
// DEADLOCK: WARNING: ThreadSanitizer: deadlock
// DEADLOCK: Execution: random, seed [[#SEED]], tick [[#TICK]].
#include <assert.h>
#include <atomic>
#include <mutex>
#include <sanitizer/heddle_interface.h>
#include <stdexcept>
#include <stdio.h>
#include <string>
#include <thread>

std::string how;
int plain;

// Whether both have seen that the other had not begun: only if they overlap just so.
bool Overlap() {
  std::atomic<int> x{0}, y{0};
  int a = 0, b = 0;
  std::thread first([&] {
    a = x++;
    a += y;
  });
  std::thread second([&] {
    b = y++;
    b += x;
  });
  first.join();
  second.join();
  return a + b == 2;
}

bool Body() {
  if (how == "deadlock") {
    std::mutex one, other;
    std::thread first([&] { std::scoped_lock a(one); std::scoped_lock b(other); });
    std::thread second([&] { std::scoped_lock a(other); std::scoped_lock b(one); });
    first.join();
    second.join();
    return true;
  }
  if (how == "race") {
    std::atomic<bool> begun{false};
    std::thread writer([&] {
      begun.store(true, std::memory_order_relaxed);
      plain = 1;
    });
    if (begun.load(std::memory_order_relaxed)) // not if the creator just goes on
      plain = 2;
    writer.join();
    return true;
  }
  if (!Overlap())
    return true;
  if (how == "exception")
    throw std::runtime_error("they were both first");
  assert(how == "bool");
  return false;
}

int main(int, char **argv) {
  how = argv[1];
  heddle::Options options;
  options.name = "test";
  options.executions = 10000;
  heddle::Result result;
  try {
    result = heddle::Explore(options, Body);
  } catch (const std::exception &exception) {
    printf("caught: %s\n", exception.what());
    return 1;
  }
  printf("%d executions, %d failed\n", int(result.executions), int(result.failed));
  return result ? 0 : 1;
}
