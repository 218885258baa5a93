// Producers and consumers with std::condition_variable, which waits in the C++ library.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 12
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdio.h>
#include <thread>

std::mutex mutex;
std::condition_variable not_empty, not_full;
std::deque<int> queue;
int sum;

void Produce() {
  for (int i = 1; i <= 3; i++) {
    std::unique_lock<std::mutex> lock(mutex);
    not_full.wait(lock, [] { return queue.empty(); });
    queue.push_back(i);
    not_empty.notify_one();
  }
}

void Consume() {
  for (int i = 0; i < 3; i++) {
    std::unique_lock<std::mutex> lock(mutex);
    not_empty.wait(lock, [] { return !queue.empty(); });
    sum += queue.front();
    queue.pop_front();
    not_full.notify_one();
  }
}

int main() {
  std::thread threads[] = {std::thread(Produce), std::thread(Consume), std::thread(Produce),
                           std::thread(Consume)};
  for (std::thread &thread : threads)
    thread.join();
  printf("%d\n", sum);
}
