// The initialisation of a static object of a function.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 1
#include <mutex>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

std::mutex mutex;
int times;

struct Object {
  Object() {
    std::lock_guard<std::mutex> lock(mutex); // so that others may come meanwhile
    value = ++times;
  }
  int value;
};

void Use() {
  static Object object;
  EXPECT(object.value == 1);
}

int main() {
  std::thread threads[] = {std::thread(Use), std::thread(Use), std::thread(Use)};
  for (std::thread &thread : threads)
    thread.join();
  Use();
  printf("%d\n", times);
}
