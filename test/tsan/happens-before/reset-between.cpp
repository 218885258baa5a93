// __tsan_flush_memory() makes the detector forget all accesses and all clocks. It comes here
// between the two halves of each way to synchronise: what was before is forgotten and cannot be
// reported, and synchronisation works as ever afterwards.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

extern "C" void __tsan_flush_memory();

alignas(8) int data;
alignas(8) atomic<int> x;

static void Flush() { __tsan_flush_memory(); }
static void WriteAndFence() {
  data++;
  atomic_thread_fence(release);
}
static void StoreRelaxed() { x.store(1, relaxed); }
static void StoreRelease() {
  data++;
  x.store(1, release);
}
static void IncrementRelaxed() { x.fetch_add(0, relaxed); }
static void LoadRelaxed() { EXPECT(x.load(relaxed) == 1); }
static void FenceAndRead() {
  atomic_thread_fence(acquire);
  EXPECT(data > 0);
}
static void LoadAndRead() {
  EXPECT(x.load(acquire) == 1);
  EXPECT(data > 0);
}

int main() {
  // Between the release fence and its store.
  Interleave({{T1, WriteAndFence}, {T3, Flush}, {T1, StoreRelaxed}, {T2, LoadAndRead}});
  // Between the relaxed load and its acquire fence.
  Interleave({{T1, StoreRelease}, {T2, LoadRelaxed}, {T3, Flush}, {T2, FenceAndRead}});
  // Within a release sequence.
  Interleave({{T1, StoreRelease}, {T3, Flush}, {T2, IncrementRelaxed}, {T2, LoadAndRead}});
  Interleave({{T1, StoreRelease}, {T3, Flush}, {T1, StoreRelaxed}, {T2, LoadAndRead}});
  // By the threads themselves, at once before and after.
  Interleave(
      {{T1, WriteAndFence}, {T1, Flush}, {T1, StoreRelaxed}, {T2, Flush}, {T2, LoadAndRead}});
  // And all is as before.
  Interleave({{T3, Flush},
              {T1, WriteAndFence},
              {T1, StoreRelaxed},
              {T2, IncrementRelaxed},
              {T3, LoadRelaxed},
              {T3, FenceAndRead}});
}
