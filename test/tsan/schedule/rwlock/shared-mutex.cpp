// Readers see no half-done write, and each writer's is there in the end.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 6
#include <mutex>
#include <shared_mutex>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

std::shared_mutex lock;
int a, b;

void Write() {
  for (int i = 0; i < 3; i++) {
    std::unique_lock<std::shared_mutex> held(lock);
    a++;
    b++;
  }
}

void Read() {
  for (int i = 0; i < 3; i++) {
    std::shared_lock<std::shared_mutex> held(lock);
    EXPECT(a == b);
  }
}

int main() {
  std::thread threads[] = {std::thread(Write), std::thread(Read), std::thread(Write),
                           std::thread(Read)};
  for (std::thread &thread : threads)
    thread.join();
  printf("%d\n", a);
}
