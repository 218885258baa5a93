// The child of a process with one thread is a process like any other: atomics and fences work there
// and synchronise, also those that were half done before the fork.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"
#include <sys/wait.h>
#include <unistd.h>

alignas(8) int data;
alignas(8) atomic<int> x, y;

static void Publish() {
  data = 2;
  atomic_thread_fence(release);
  x.store(2, relaxed);
}
static void Increment() { x.fetch_add(1, relaxed); }
static void Consume() {
  EXPECT(x.load(relaxed) == 3);
  atomic_thread_fence(acquire);
  EXPECT(data == 2);
}

int main() {
  data = 1;
  x.store(1, release);
  atomic_thread_fence(release);
  EXPECT(y.load(relaxed) == 0);
  pid_t child = fork();
  EXPECT(child >= 0);
  y.store(1, relaxed);
  atomic_thread_fence(acquire);
  EXPECT(x.exchange(1, acq_rel) == 1);
  EXPECT(Interleave({{T1, Publish}, {T2, Increment}, {T3, Consume}}) == 0);
  if (child) {
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
}
