// membarrier(2) is a fence in every thread of the process: what its caller did before happens
// before what the others do afterwards, and what they did happens before what the caller does
// afterwards. Two others are not ordered by it. Calls that fail, ask or register are no fences.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="suppress_equal_stacks=0 exitcode=0" %t 2>&1 | %FileCheck --check-prefixes=CHECK,RACE %s
// RUN: env TSAN_OPTIONS="suppress_equal_stacks=0 exitcode=0 weak_memory=buffer" %t 2>&1 | %FileCheck --check-prefixes=CHECK,RACE %s
//
// Whether there is a report where there may be one is not asked under a schedule.
// RUN: env TSAN_OPTIONS="suppress_equal_stacks=0 exitcode=0 schedule=random seed=1" %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS="suppress_equal_stacks=0 exitcode=0 schedule=random seed=1 weak_memory=buffer" %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS="suppress_equal_stacks=0 exitcode=0 schedule=random seed=1 weak_memory=mograph" %t 2>&1 | %FileCheck %s
// RUN: env TSAN_OPTIONS="suppress_equal_stacks=0 exitcode=0 schedule=random seed=1 weak_memory=mograph test_epochs=3 test_slots=8" %t 2>&1 | %FileCheck %s
#include "heddle_test.h"
#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

// A case has its own.
struct State {
  alignas(8) int data = 0;
  alignas(8) atomic<int> x{0};
  alignas(8) atomic<int> y{0};
};
State *s; // not static: the compiler would make one object of all

static int command;
static int Membarrier(int which, int flags = 0) { return syscall(SYS_membarrier, which, flags, 0); }

static void Call() { EXPECT(Membarrier(command) >= 0); }
static void CallWrongly() { EXPECT(Membarrier(command, ~0) == -1 && errno == EINVAL); }
static void Write() { s->data = 1; }
static void Read() { EXPECT(s->data == 1); }
static void ReadBefore() { EXPECT(s->data == 0); }
static void SetX() { s->x.store(1, relaxed); }
static void ReleaseX() { s->x.store(1, release); }
static void SeeX() {
  while (!s->x.load(relaxed)) {
  }
}
static void AcquireX() {
  while (!s->x.load(acquire)) {
  }
}
static void LookAtY() { EXPECT(!s->y.load(relaxed)); }

static void Case(const char *name, std::initializer_list<Step> steps) {
  s = new State;
  Verdict(name, RunSteps(steps.begin(), (int)steps.size()));
}

static void Order(const char *name, int which) {
  command = which;
  fprintf(stderr, "%s\n", name);
  Case("caller's before", {{T1, Write}, {T1, Call}, {T2, Read}});
  Case("others' before", {{T2, Write}, {T1, Call}, {T1, Read}});
}

int main() {
  // Not registered yet.
  EXPECT(Membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == -1 && errno == EPERM);
  Order("query", MEMBARRIER_CMD_QUERY);
  Order("register", MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  Membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED);
  Membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE);
  Membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ);
  Order("global", MEMBARRIER_CMD_GLOBAL);
  Order("global expedited", MEMBARRIER_CMD_GLOBAL_EXPEDITED);
  Order("sync core", MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
  Order("rseq", MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ);
  Order("private expedited", MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  Case("fails", {{T1, Write}, {T1, CallWrongly}, {T2, Read}});
  Case("caller's after", {{T1, Call}, {T1, Write}, {T2, Read}});
  Case("others' after", {{T1, Call}, {T2, LookAtY}, {T2, ReadBefore}, {T1, Write}});
  Case("between others", {{T2, Write}, {T1, Call}, {T3, Read}});
  Case("releases", {{T2, Write}, {T1, Call}, {T2, SetX}, {T3, AcquireX}, {T3, Read}});
  Case("releases nothing later", {{T1, Call}, {T2, LookAtY}, {T2, Write}, {T2, SetX}, {T3, AcquireX}, {T3, Read}});
  Case("acquires", {{T2, Write}, {T2, ReleaseX}, {T3, SeeX}, {T1, Call}, {T3, LookAtY}, {T3, Read}});
  Case("seen by the caller", {{T2, Write}, {T2, SetX}, {T1, SeeX}, {T1, Call}, {T1, Read}});
}

// RACE: {{^}}query
// RACE: caller's before: race
// RACE: others' before: race
// RACE-NEXT: register
// RACE: caller's before: race
// RACE: others' before: race
// CHECK: {{^}}global
// CHECK-NEXT: caller's before: no race
// CHECK-NEXT: others' before: no race
// CHECK-NEXT: global expedited
// CHECK-NEXT: caller's before: no race
// CHECK-NEXT: others' before: no race
// CHECK-NEXT: sync core
// CHECK-NEXT: caller's before: no race
// CHECK-NEXT: others' before: no race
// CHECK-NEXT: rseq
// CHECK-NEXT: caller's before: no race
// CHECK-NEXT: others' before: no race
// CHECK-NEXT: private expedited
// CHECK-NEXT: caller's before: no race
// CHECK-NEXT: others' before: no race
// RACE: fails: race
// RACE: caller's after: race
// RACE: others' after: race
// RACE: between others: race
// CHECK: releases: no race
// RACE: releases nothing later: race
// CHECK: acquires: no race
// CHECK-NEXT: seen by the caller: no race
