// The parameters of a strategy that nobody has set are estimated: store buffering has all of its
// outcomes, though it is much shorter than a thousand events. The line that repeats a failed
// execution names what was estimated, and what was set is kept.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for s in pctwm pct urw; do for w in buffer mograph; do \
// RUN:   env HEDDLE_EXPLORE="seed=1 executions=500 strategy=$s weak_memory=$w" %t all; \
// RUN: done; done | %FileCheck %s
// CHECK-COUNT-6: 4 outcomes
//
// RUN: for s in pctwm pct urw; do \
// RUN:   env STRATEGY=$s %python %S/../Inputs/explore-again 1 %t fail || exit 1; \
// RUN: done > %t.failed
// RUN: %FileCheck --check-prefix=FAILED %s < %t.failed
// FAILED: Execution: pctwm, seed [[#SEED:]], tick [[#TICK:]]. To repeat it alone:
// FAILED-NEXT: "seed=[[#SEED]] strategy=pctwm depth=3 events=[[#EVENTS:]] history=2 weak_memory=buffer"
// FAILED: again, alone:
// FAILED: Execution: pctwm, seed [[#SEED]], tick [[#TICK]]. To repeat it alone:
// FAILED-NEXT: "seed=[[#SEED]] strategy=pctwm depth=3 events=[[#EVENTS]] history=2 weak_memory=buffer"
// FAILED: Execution: pct, seed [[#SEED:]], tick [[#TICK:]]. To repeat it alone:
// FAILED-NEXT: "seed=[[#SEED]] strategy=pct depth=3 events=[[#EVENTS:]] weak_memory=buffer"
// FAILED: again, alone:
// FAILED: Execution: pct, seed [[#SEED]], tick [[#TICK]]. To repeat it alone:
// FAILED: Execution: urw, seed [[#SEED:]], tick [[#TICK:]]. To repeat it alone:
// FAILED-NEXT: "seed=[[#SEED]] strategy=urw events=[[#EVENTS:]] weak_memory=buffer"
// FAILED: again, alone:
// FAILED: Execution: urw, seed [[#SEED]], tick [[#TICK]]. To repeat it alone:
//
// Also where it is the default of the flag.
// RUN: env STRATEGY=pctwm HEDDLE_EXPLORE="depth=2 events=9 history=3" %expect_exit 1 %t fail 2>&1 | \
// RUN:   %FileCheck --check-prefix=KEPT %s
// KEPT: strategy=pctwm depth=2 events=9 history=3 weak_memory=buffer
// RUN: env STRATEGY=pctwm TSAN_OPTIONS="schedule_depth=4 schedule_events=1000 history_depth=1" \
// RUN:   %expect_exit 1 %t at-once 2>&1 | %FileCheck --check-prefix=FLAGS %s
// FLAGS: strategy=pctwm depth=4 events=1000 history=1 weak_memory=buffer
// RUN: env STRATEGY=pctwm TSAN_OPTIONS="schedule_depth=0" %expect_exit 1 %t at-once 2>&1 | \
// RUN:   %FileCheck --check-prefix=NO-DEPTH %s
// RUN: env STRATEGY=pctwm HEDDLE_EXPLORE="depth=0" %expect_exit 1 %t at-once 2>&1 | \
// RUN:   %FileCheck --check-prefix=NO-DEPTH %s
// NO-DEPTH: strategy=pctwm depth=0 events={{[0-9]+}} history=2 weak_memory=buffer
#include <atomic>
#include <sanitizer/heddle_interface.h>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <thread>
#include <utility>

constexpr auto relaxed = std::memory_order_relaxed;

int main(int, char **argv) {
  const std::string how = argv[1];
  std::set<std::pair<int, int>> outcomes;
  int bodies = 0;
  heddle::Options options;
  options.executions = 10000;
  options.strategy = getenv("STRATEGY");
  options.weak_memory = "buffer";
  heddle::Result result = heddle::Explore(options, [&] {
    std::atomic<int> x{0}, y{0};
    int a, b;
    std::thread one([&] { x.store(1, relaxed), a = y.load(relaxed); });
    std::thread two([&] { y.store(1, relaxed), b = x.load(relaxed); });
    one.join();
    two.join();
    outcomes.insert({a, b});
    bodies++;
    if (how == "at-once")
      return bodies == 1; // the first is not counted
    return how != "fail" || a + b != 2;
  });
  if (how == "all")
    printf("%d outcomes\n", int(outcomes.size()));
  return result ? 0 : 1;
}
