// A sequence lock: the data are relaxed atomics, fences keep them between the two reads of the
// sequence number. Along with each version goes a plain record that a reader may look at once it
// has read that version's number.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

const unsigned kVersions = 50000;

atomic<unsigned> sequence;
atomic<unsigned> data[2];
unsigned records[kVersions + 1];

static void Write() {
  for (unsigned version = 1; version <= kVersions; version++) {
    records[version] = version;
    sequence.store(2 * version - 1, relaxed);
    atomic_thread_fence(release);
    data[0].store(version, relaxed);
    data[1].store(version, relaxed);
    atomic_thread_fence(release);
    sequence.store(2 * version, relaxed);
  }
}

static void Read() {
  for (unsigned version = 0; version < kVersions;) {
    unsigned before = sequence.load(relaxed);
    atomic_thread_fence(acquire);
    unsigned first = data[0].load(relaxed), second = data[1].load(relaxed);
    atomic_thread_fence(acquire);
    if (before % 2 || sequence.load(relaxed) != before) {
      sched_yield();
      continue;
    }
    EXPECT(first == second && first == before / 2);
    version = first;
    EXPECT(records[version] == version);
  }
}

int main() {
  Concurrently(3, [](int self) { self ? Read() : Write(); });
}
