// One release fence covers all relaxed stores after it, to any object; one acquire fence covers all
// relaxed loads before it, of any object, also when the last of them read a value that nobody had
// published.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

alignas(8) int a, b;
alignas(8) atomic<int> x, y, z, unpublished;

static void Publish() {
  a = 1;
  atomic_thread_fence(release);
  x.store(1, relaxed);
  y.store(1, relaxed);
  y.store(2, relaxed);
}

static void PublishToo() {
  b = 1;
  z.store(1, release);
}

static void Unpublished() { unpublished.store(1, relaxed); }

static void LoadOne() {
  EXPECT(y.load(acquire) == 2);
  EXPECT(a == 1);
}

static void LoadAll() {
  EXPECT(z.load(relaxed) == 1);
  EXPECT(x.load(relaxed) == 1);
  EXPECT(unpublished.load(relaxed) == 1);
  atomic_thread_fence(acquire);
  EXPECT(a == 1);
  EXPECT(b == 1);
}

int main() {
  Interleave({{T1, Publish}, {T2, PublishToo}, {T2, Unpublished}, {T3, LoadOne}, {T4, LoadAll}});
}
