// A demo that is recorded over another has nothing of it: what `heddle show` would show of the
// other execution is gone.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo && mkdir %t.demo && echo old > %t.demo/EXECUTION
// RUN: env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t
// RUN: not ls %t.demo/EXECUTION
// RUN: ls %t.demo/META
#include <thread>

int main() {
  std::thread([] {}).join();
}
