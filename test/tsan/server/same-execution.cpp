// An execution of a fork server is the one that a process of its own would be: with the same
// seed, strategy and policy, the same threads do the same in the same order.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for s in random pct pctwm pos urw roundrobin; do for i in 1 2 3 4 5 6; do \
// RUN:   env TSAN_OPTIONS="weak_memory=mograph schedule=$s seed=$i schedule_events=40" %t; echo "ended 0"; \
// RUN:   done; done > %t.alone
// RUN: %fork_server "weak_memory=mograph schedule=random seed=99" %t -- \
// RUN:   $(for s in random pct pctwm pos urw roundrobin; do for i in 1 2 3 4 5 6; do \
// RUN:       echo schedule=$s:seed=$i:schedule_events=40; done; done) > %t.served
// RUN: sed '1d;$d' %t.served | diff %t.alone -
// RUN: head -n 1 %t.served | %FileCheck --check-prefix=READY %s
// RUN: tail -n 1 %t.served | %FileCheck --check-prefix=SERVER %s
// READY: ready
// SERVER: server 0
//
// Executions do differ.
// RUN: grep order %t.alone | sort -u | wc -l | %FileCheck --check-prefix=MANY %s
// MANY: {{^[1-9][0-9]}}
#include <atomic>
#include <stdio.h>
#include <thread>

std::atomic<int> x, y, steps;
int order[12], seen[12];

int main() {
  // What comes before the first thread is done once, and is the same for all.
  x.store(7);
  int before = x.load() + steps.load();
  auto run = [](int id, std::atomic<int> &mine, std::atomic<int> &other) {
    for (int i = 1; i <= 6; i++) {
      mine.store(i, std::memory_order_relaxed);
      int value = other.load(std::memory_order_relaxed);
      int step = steps.fetch_add(1, std::memory_order_relaxed);
      order[step] = id;
      seen[step] = value;
    }
  };
  std::thread a(run, 1, std::ref(x), std::ref(y));
  std::thread b(run, 2, std::ref(y), std::ref(x));
  a.join();
  b.join();
  printf("%d order ", before);
  for (int i = 0; i < 12; i++)
    printf("%d:%d ", order[i], seen[i]);
  printf("\n");
}
