// What the body chooses itself is part of an execution: all of it comes up, and is repeated.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %t > %t.out 2>&1; %FileCheck %s < %t.out
//
// A loop that waits has an end, and so have all executions.
// CHECK: 24 permutations
// CHECK: heddle::Exhaust waits: all {{[0-9]+}} executions, 0 failed.
//
// CHECK: heddle::Exhaust: an execution has failed: the body says so.
// CHECK: To repeat it alone:
// CHECK: HEDDLE_EXPLORE="choices=2.5
// CHECK: failed 1
//
// RUN: env HEDDLE_EXPLORE=choices=2.5 %t 2>&1 | %FileCheck --check-prefix=AGAIN %s
// AGAIN: chosen 2 5
// AGAIN-NEXT: ThreadSanitizer: heddle::Exhaust: an execution has failed
#include <atomic>
#include <sanitizer/heddle_interface.h>
#include <set>
#include <stdio.h>
#include <string>
#include <thread>

int main() {
  std::set<std::string> seen;
  heddle::Exhaust([&] {
    std::string letters = "abcd", word;
    while (!letters.empty()) {
      unsigned next = heddle::Choose(unsigned(letters.size()));
      word += letters[next];
      letters.erase(next, 1);
    }
    seen.insert(word);
  });
  printf("%d permutations\n", int(seen.size()));
  fflush(stdout);

  heddle::Options options;
  options.name = "waits";
  heddle::Exhaust(options, [] {
    std::atomic<bool> ready{false};
    std::thread setter([&] { ready = true; });
    while (!ready)
      ;
    setter.join();
  });

  // Outside of an execution there is nothing to choose.
  unsigned outside = heddle::Choose(10);
  heddle::Result result = heddle::Exhaust([&] {
    unsigned a = heddle::Choose(4), b = heddle::Choose(7);
    if (a != 2 || b != 5)
      return true;
    printf("chosen %u %u\n", a, b);
    fflush(stdout);
    return false;
  });
  printf("failed %d\n", int(result.failed + outside));
}
