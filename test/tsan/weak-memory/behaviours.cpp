// What the engines show, and what they must not: store buffering and a stale message are
// seen, release and acquire forbid the latter, seq_cst the former. Two threads that write
// two locations in opposite order (2+2W) leave the first values only if modification order
// may differ from the order of execution: with mograph.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=buffer seed=1" %expect_clean %t
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=buffer seed=1" %t | %FileCheck --check-prefixes=CHECK,BUFFER %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph seed=1" %t | %FileCheck --check-prefixes=CHECK,MOGRAPH %s
// RUN: env TSAN_OPTIONS="schedule=pos weak_memory=mograph seed=1" %t | %FileCheck --check-prefixes=CHECK,MOGRAPH %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph seed=1 prune=aggressive" %t | %FileCheck --check-prefixes=CHECK,MOGRAPH %s
//
// Without a schedule a load may be stale too. How the threads meet is the system's affair,
// but store buffering needs no meeting:
// RUN: env TSAN_OPTIONS="weak_memory=buffer seed=1" %t | %FileCheck --check-prefix=NONE %s
//
// Under a schedule without weak memory there is nothing of the kind, nor with the newest only:
// RUN: env TSAN_OPTIONS="schedule=random seed=1" %t | %FileCheck --check-prefix=STRONG %s
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph read_policy=newest seed=1" %t | %FileCheck --check-prefix=STRONG %s
#include "heddle_test.h"
#include <thread>

struct Locations {
  alignas(8) atomic<int> x{0};
  alignas(8) atomic<int> y{0};
};

// Returns in how many of 300 rounds `wanted` held afterwards.
template <class First, class Second, class Wanted>
int Count(First first, Second second, Wanted wanted) {
  int count = 0;
  for (int i = 0; i < 300; i++) {
    auto *at = new Locations;
    int a = -1, b = -1;
    std::thread other([&] { first(*at, a); });
    second(*at, b);
    other.join();
    count += wanted(*at, a, b);
    delete at;
  }
  return count;
}

void Print(const char *name, int count) { printf("%s: %s\n", name, count ? "seen" : "never"); }

int StoreBuffering(std::memory_order store, std::memory_order load) {
  return Count([=](Locations &at, int &a) { at.x.store(1, store); a = at.y.load(load); },
               [=](Locations &at, int &b) { at.y.store(1, store); b = at.x.load(load); },
               [](Locations &, int a, int b) { return !a && !b; });
}

int Message(std::memory_order store, std::memory_order load) {
  return Count([=](Locations &at, int &) { at.x.store(1, relaxed); at.y.store(1, store); },
               [=](Locations &at, int &b) { b = at.y.load(load) && !at.x.load(relaxed); },
               [](Locations &, int, int b) { return b; });
}

int MessageWithFences() {
  return Count([](Locations &at, int &) {
                 at.x.store(1, relaxed);
                 atomic_thread_fence(release);
                 at.y.store(1, relaxed);
               },
               [](Locations &at, int &b) {
                 b = at.y.load(relaxed);
                 atomic_thread_fence(acquire);
                 b = b && !at.x.load(relaxed);
               },
               [](Locations &, int, int b) { return b; });
}

int Coherence() {
  return Count([](Locations &at, int &) { at.x.store(1, relaxed); at.x.store(2, relaxed); },
               [](Locations &at, int &b) { b = at.x.load(relaxed); b = at.x.load(relaxed) < b; },
               [](Locations &, int, int b) { return b; });
}

int TwoByTwo(std::memory_order order) {
  return Count([=](Locations &at, int &) { at.x.store(1, order); at.y.store(2, order); },
               [=](Locations &at, int &) { at.y.store(1, order); at.x.store(2, order); },
               [](Locations &at, int, int) { return at.x.load() == 1 && at.y.load() == 1; });
}

int Lost() { // of two increments
  return Count([](Locations &at, int &) { at.x.fetch_add(1, relaxed); },
               [](Locations &at, int &) { at.x.fetch_add(1, relaxed); },
               [](Locations &at, int, int) { return at.x.load(relaxed) != 2; });
}

int main() {
  Print("SB, relaxed", StoreBuffering(relaxed, relaxed));
  Print("SB, release and acquire", StoreBuffering(release, acquire));
  Print("SB, seq_cst", StoreBuffering(seq_cst, seq_cst));
  Print("MP, relaxed", Message(relaxed, relaxed));
  Print("MP, relaxed store", Message(relaxed, acquire));
  Print("MP, relaxed load", Message(release, relaxed));
  Print("MP, release and acquire", Message(release, acquire));
  Print("MP, fences", MessageWithFences());
  Print("CoRR", Coherence());
  Print("lost increment", Lost());
  Print("2+2W, relaxed", TwoByTwo(relaxed));
  Print("2+2W, seq_cst", TwoByTwo(seq_cst));
  // CHECK: SB, relaxed: seen
  // CHECK: SB, release and acquire: seen
  // CHECK: SB, seq_cst: never
  // CHECK: MP, relaxed: seen
  // CHECK: MP, relaxed store: seen
  // CHECK: MP, relaxed load: seen
  // CHECK: MP, release and acquire: never
  // CHECK: MP, fences: never
  // CHECK: CoRR: never
  // CHECK: lost increment: never
  // BUFFER: 2+2W, relaxed: never
  // MOGRAPH: 2+2W, relaxed: seen
  // CHECK: 2+2W, seq_cst: never
  // NONE: SB, relaxed: seen
  // NONE-NEXT: SB, release and acquire: seen
  // NONE-NEXT: SB, seq_cst: never
  // NONE: MP, release and acquire: never
  // NONE-NEXT: MP, fences: never
  // NONE-NEXT: CoRR: never
  // NONE-NEXT: lost increment: never
  // NONE-NEXT: 2+2W, relaxed: never
  // NONE-NEXT: 2+2W, seq_cst: never
  // STRONG-NOT: seen
}
