// A ticket lock: tickets are drawn relaxed, the owner hands over with a release store, and who
// waits acquires. The variant with fences waits relaxed and needs the fence to acquire.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
// RUN: %clangxx_heddle -DFENCES %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

const int kThreads = 4, kRounds = 10000;

atomic<int> next_ticket, serving;
int counter;

int main() {
  Concurrently(kThreads, [](int) {
    for (int i = 0; i < kRounds; i++) {
      int ticket = next_ticket.fetch_add(1, relaxed);
#ifdef FENCES
      if (!WaitUntil([=] { return serving.load(relaxed) == ticket; }))
        return;
      atomic_thread_fence(acquire);
      counter++;
      atomic_thread_fence(release);
      serving.store(ticket + 1, relaxed);
#else
      if (!WaitUntil([=] { return serving.load(acquire) == ticket; }))
        return;
      counter++;
      serving.store(ticket + 1, release);
#endif
    }
  });
  EXPECT(counter == serving);
}
