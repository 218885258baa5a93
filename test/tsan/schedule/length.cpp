// With verbosity=1 the end of a run says how long it was: what schedule_events= wants to
// know, which for pctwm is the number of operations that can communicate.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=roundrobin verbosity=1" %t 0 0 > %t.none 2>&1
// RUN: env TSAN_OPTIONS="schedule=roundrobin verbosity=1" %t 100 0 > %t.stores 2>&1
// RUN: env TSAN_OPTIONS="schedule=roundrobin verbosity=1" %t 0 50 > %t.loads 2>&1
// RUN: cat %t.none %t.stores %t.loads | sed -n 's/^ *\([0-9]*\) visible operations (schedule_events= of pct and urw), \([0-9]*\) communication events (of pctwm).$/\1 \2/p' > %t.lengths
// A hundred stores are a hundred operations, and no communication; fifty loads are both.
// RUN: awk '{ print $1 - a, $2 - b; a = $1; b = $2 }' %t.lengths | %FileCheck %s
// CHECK: {{^[1-9][0-9]* [1-9][0-9]*$}}
// CHECK-NEXT: {{^100 0$}}
// CHECK-NEXT: {{^-50 50$}}
// Not unless asked for:
// RUN: env TSAN_OPTIONS=schedule=roundrobin %t 5 5 2>&1 | %FileCheck --allow-empty --check-prefix=SILENT %s
// SILENT-NOT: communication events
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> object{0};

int main(int, char **argv) {
  const int stores = atoi(argv[1]), loads = atoi(argv[2]);
  std::thread([=] {
    for (int i = 0; i < stores; i++)
      object.store(i, std::memory_order_relaxed);
    for (int i = 0; i < loads; i++)
      object.load(std::memory_order_relaxed);
  }).join();
}
