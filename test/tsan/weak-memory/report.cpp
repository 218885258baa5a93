// Reports say which load read which stale store, and how to repeat it: a race, a failed
// assertion, an abort, a crash. Repeated as they say, they say the same again.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1 weak_memory=mograph read_policy=oldest" %expect_race -o %t.race %t race
// RUN: %FileCheck --check-prefixes=CHECK,RACE %s < %t.race
// RUN: env TSAN_OPTIONS="schedule=random seed=1 weak_memory=buffer read_policy=oldest" %expect_race -o %t.buffer %t race
// RUN: %FileCheck --check-prefixes=CHECK,RACE %s < %t.buffer
// RUN: not --crash env TSAN_OPTIONS="schedule=random seed=1 weak_memory=mograph read_policy=oldest" %t assert > %t.assert 2>&1
// RUN: %FileCheck --check-prefixes=ASSERT,CHECK %s < %t.assert
// RUN: not --crash env TSAN_OPTIONS="schedule=random seed=1 weak_memory=mograph read_policy=oldest" %t abort > %t.abort 2>&1
// RUN: %FileCheck %s < %t.abort
// RUN: env TSAN_OPTIONS="schedule=random seed=1 weak_memory=mograph read_policy=oldest" %expect_race -o %t.crash %t crash
// RUN: %FileCheck %s < %t.crash
//
// The line that is printed, run as it stands:
// RUN: grep -A1 'To repeat it' %t.race | tail -1 > %t.sh && not sh %t.sh > %t.again 2>&1
// RUN: %FileCheck --check-prefixes=CHECK,RACE %s < %t.again
// RUN: grep -o 'tick [0-9]*' %t.race > %t.ticks && grep -o 'tick [0-9]*' %t.again | diff %t.ticks -
// RUN: grep -A1 'To repeat it' %t.assert | tail -1 > %t.sh && not sh %t.sh > %t.again 2>&1
// RUN: %FileCheck --check-prefixes=ASSERT,CHECK %s < %t.again
//
// Without a schedule there are no ticks, and there is nothing to repeat. Of twenty
// loads that may be stale one is:
// RUN: env TSAN_OPTIONS="weak_memory=buffer seed=1" %expect_race -o %t.none %t many
// RUN: %FileCheck --check-prefix=NONE %s < %t.none
//
// Each as it happens:
// RUN: env TSAN_OPTIONS="schedule=random seed=1 weak_memory=mograph read_policy=oldest stale_reads=print" %t print > %t.print 2>&1
// RUN: %FileCheck --check-prefix=PRINT %s < %t.print
// Not unless asked for:
// RUN: env TSAN_OPTIONS="schedule=random seed=1 weak_memory=mograph read_policy=oldest" %expect_clean %t print
// RUN: env TSAN_OPTIONS="schedule=random seed=1 weak_memory=mograph read_policy=oldest" %t print 2>&1 | %FileCheck --check-prefix=SILENT %s
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

constexpr auto relaxed = std::memory_order_relaxed;
struct Location {
  alignas(8) std::atomic<int> value{0};
};
Location first, done, others[20];
int data;

__attribute__((noinline)) void WriteFirst(int value) { first.value.store(value, relaxed); }
__attribute__((noinline)) int ReadFirst() { return first.value.load(relaxed); }

int main(int argc, char **argv) {
  const char *what = argv[1];
  const bool many = !strcmp(what, "many"), race = many || !strcmp(what, "race");
  WriteFirst(40);
  std::thread writer([&] {
    if (race)
      data = 1;
    for (Location &location : others) {
      location.value.store(1, relaxed);
      location.value.store(2, relaxed);
    }
    WriteFirst(41);
    WriteFirst(42);
    done.value.store(1, relaxed);
  });
  // It orders nothing.
  while (!done.value.load(relaxed)) {
  }
  // Who has loaded 1024 times without a store is waiting, and reads the newest only.
  done.value.store(2, relaxed);
  int found = ReadFirst();
  if (many)
    for (Location &location : others)
      location.value.load(relaxed);
  if (race && (many || found != 42))
    data = 2;
  if (!strcmp(what, "assert"))
    assert(found == 42);
  if (!strcmp(what, "abort") && found != 42)
    abort();
  if (!strcmp(what, "crash") && found != 42)
    *reinterpret_cast<volatile int *>(8) = 1;
  writer.join();
  if (!strcmp(what, "print"))
    printf("found %d\n", found);
}
// RACE: WARNING: ThreadSanitizer: data race
// CHECK: Stale read of 0x28 at 0x{{[0-9a-f]+}} by main thread, tick {{[0-9]+}} (2 newer stores):
// CHECK-NEXT: #0 {{.*}}
// CHECK: ReadFirst() {{.*}}report.cpp
// CHECK: Stored by main thread, tick {{[0-9]+}}:
// CHECK: WriteFirst(int) {{.*}}report.cpp
// CHECK: Schedule: random, seed 1, tick {{[0-9]+}}. To repeat it:
// CHECK-NEXT: TSAN_OPTIONS="schedule=random seed=1 weak_memory={{mograph|buffer}} read_policy=oldest" {{.*}} {{race|assert|abort|crash}}
// ASSERT: Assertion `found == 42' failed
//
// NONE: WARNING: ThreadSanitizer: data race
// NONE: Stale read of 0x{{[0-9a-f]+}} at 0x{{[0-9a-f]+}} by main thread ({{[0-9]+}} newer store{{s?}}):
// NONE: Stored by {{.*thread( T1)?}}:
// NONE-NOT: To repeat it
//
// PRINT: Stale read of 0x28 at {{.*}} by main thread, tick {{[0-9]+}} (2 newer stores):
// PRINT: Stored by main thread
// PRINT: found 40
// SILENT-NOT: Stale read
// SILENT: found 40
