// A program that does not depend on addresses replays with deterministic_memory=0 too. It is
// not executed anew then, and has the environment of the replay.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -rf %t.demo && env HERE=recorded \
// RUN:   TSAN_OPTIONS="schedule=random seed=3 record_demo=%t.demo deterministic_memory=0" \
// RUN:   %t > %t.recorded
// RUN: %FileCheck %s --check-prefix=RECORDED < %t.recorded
// RUN: env HERE=played TSAN_OPTIONS="play_demo=%t.demo deterministic_memory=0" %t > %t.played
// RUN: %FileCheck %s --check-prefix=PLAYED < %t.played
// RUN: tail -n 1 %t.recorded > %t.order && tail -n 1 %t.played | cmp - %t.order
// RUN: env HERE=played TSAN_OPTIONS="play_demo=%t.demo" %t > %t.played
// RUN: %FileCheck %s --check-prefix=PLAYED < %t.played
// RUN: tail -n 1 %t.played | cmp - %t.order
//
// RECORDED: HERE is recorded
// PLAYED: HERE is played
#include <stdio.h>
#include <stdlib.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

int main() {
  printf("HERE is %s\n", getenv("HERE"));
  std::mutex mutex;
  std::string order;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 10; j++) {
        std::lock_guard<std::mutex> lock(mutex);
        order += char('0' + i);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  puts(order.c_str());
}
