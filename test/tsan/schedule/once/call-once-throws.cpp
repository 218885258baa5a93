// The same with std::call_once, which is made of pthread_once.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 2 attempts, 1 exception
#include <atomic>
#include <mutex>
#include <stdio.h>
#include <thread>

std::once_flag once;
std::atomic<int> attempts, exceptions;

void Use() {
  try {
    std::call_once(once, [] {
      if (++attempts == 1)
        throw 1;
    });
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
