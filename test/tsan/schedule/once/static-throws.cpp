// An initialisation that ends with an exception has not happened: another thread,
// which may have waited for it, performs it.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 2 attempts, 1 exception
#include <atomic>
#include <stdio.h>
#include <thread>

std::atomic<int> attempts, exceptions;

struct Object {
  Object() {
    if (++attempts == 1)
      throw 1;
  }
};

void Use() {
  try {
    static Object object;
  } catch (int) {
    exceptions++;
  }
}

int main() {
  std::thread threads[] = {std::thread(Use), std::thread(Use), std::thread(Use)};
  for (std::thread &thread : threads)
    thread.join();
  printf("%d attempts, %d exception\n", attempts.load(), exceptions.load());
}
