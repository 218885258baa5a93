// More threads than the semaphore lets in, and no wake-up is lost.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: at most 2, 8 in all, 2 free
#include <algorithm>
#include <mutex>
#include <semaphore.h>
#include <stdio.h>
#include <thread>

sem_t places;
std::mutex mutex;
int inside, most, all;

void Work() {
  for (int i = 0; i < 2; i++) {
    sem_wait(&places);
    {
      std::lock_guard<std::mutex> lock(mutex);
      most = std::max(most, ++inside);
      all++;
    }
    {
      std::lock_guard<std::mutex> lock(mutex);
      inside--;
    }
    sem_post(&places);
  }
}

int main() {
  sem_init(&places, 0, 2);
  std::thread threads[] = {std::thread(Work), std::thread(Work), std::thread(Work),
                           std::thread(Work)};
  for (std::thread &thread : threads)
    thread.join();
  int free;
  sem_getvalue(&places, &free);
  printf("at most %d, %d in all, %d free\n", most <= 2 ? 2 : most, all, free);
}
