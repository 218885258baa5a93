// Two threads take turns. What one wrote the other may read: there is no race.
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 6
#include <semaphore.h>
#include <stdio.h>
#include <thread>

#include "heddle_test.h"

sem_t ping, pong;
int value;

int main() {
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  std::thread other([] {
    for (int i = 0; i < 3; i++) {
      EXPECT(sem_wait(&pong) == 0);
      value++;
      EXPECT(sem_post(&ping) == 0);
    }
  });
  for (int i = 0; i < 3; i++) {
    EXPECT(sem_wait(&ping) == 0);
    value++;
    EXPECT(sem_post(&pong) == 0);
  }
  other.join();
  printf("%d\n", value);
}
