// A body is run many times in one process, with as many schedules and reads as it takes, and
// threads and records do not pile up.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %t > %t.out 2>&1 && %FileCheck %s < %t.out
// RUN: env TSAN_OPTIONS=schedule=random:seed=3 %t > %t.out 2>&1 && %FileCheck %s < %t.out
#include <atomic>
#include <dirent.h>
#include <sanitizer/heddle_interface.h>
#include <set>
#include <stdio.h>
#include <thread>
#include <utility>

static int Threads() {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  while (dirent *task = readdir(tasks))
    count += task->d_name[0] != '.';
  closedir(tasks);
  return count;
}

int main() {
  std::atomic<int> x, y;
  std::set<std::pair<int, int>> outcomes;
  auto body = [&] {
    int a, b;
    x.store(0, std::memory_order_relaxed);
    y.store(0, std::memory_order_relaxed);
    std::thread first([&] {
      x.store(1, std::memory_order_relaxed);
      a = y.load(std::memory_order_relaxed);
    });
    std::thread second([&] {
      y.store(1, std::memory_order_relaxed);
      b = x.load(std::memory_order_relaxed);
    });
    first.join();
    second.join();
    outcomes.insert({a, b});
  };
  heddle::Options options;
  options.executions = 300;
  options.seed = 1;
  for (const char *engine : {"off", "buffer", "mograph", "off"}) {
    for (const char *strategy : {"random", "pct", "pos", "urw"}) {
      outcomes.clear();
      options.weak_memory = engine;
      options.strategy = strategy;
      options.events = 12;
      heddle::Result result = heddle::Explore(options, body);
      printf("%s %s: %d executions, %d outcomes%s\n", engine, strategy, int(result.executions),
             int(outcomes.size()), outcomes.count({0, 0}) ? ", both 0" : "");
    }
  }
  // CHECK: off random: 300 executions, 3 outcomes{{$}}
  // CHECK: off pct: 300 executions, 3 outcomes{{$}}
  // CHECK: off pos: 300 executions, 3 outcomes{{$}}
  // CHECK: off urw: 300 executions, 3 outcomes{{$}}
  // CHECK: buffer random: 300 executions, 4 outcomes, both 0
  // CHECK: buffer pct: 300 executions, 4 outcomes, both 0
  // CHECK: buffer pos: 300 executions, 4 outcomes, both 0
  // CHECK: buffer urw: 300 executions, 4 outcomes, both 0
  // CHECK: mograph random: 300 executions, 4 outcomes, both 0
  // CHECK: mograph pct: 300 executions, 4 outcomes, both 0
  // CHECK: mograph pos: 300 executions, 4 outcomes, both 0
  // CHECK: mograph urw: 300 executions, 4 outcomes, both 0
  // CHECK: off random: 300 executions, 3 outcomes{{$}}
  // One thread of upstream's is there besides.
  printf("%d threads at most\n", Threads() <= 4 ? 4 : Threads());
  // CHECK: 4 threads at most
}
