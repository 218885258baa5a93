// Under the rules of 2011 a thread's stores continue the release sequence that it heads, also if
// the thread has come to another slot since.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: for epochs in 1 2 3 4; do \
// RUN:   env TSAN_OPTIONS="weak_memory=buffer release_sequence=cxx11 test_epochs=$epochs" \
// RUN:     %expect_clean %t || exit 1; done
#include "heddle_test.h"

alignas(8) static int data;
alignas(8) static atomic<int> x, elsewhere;

static void Write() {
  data = 1;
  x.store(1, release);
  elsewhere.store(1, release);
  x.store(2, relaxed);
}
static void Read() {
  EXPECT(x.fetch_add(0, acquire) == 2); // reads no older store
  EXPECT(data == 1);
}

int main() { Interleave({{T1, Write}, {T2, Read}}); }
