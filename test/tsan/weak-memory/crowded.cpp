// A plain write that the neighbours have driven out of the shadow begins a new life only if
// it is a new one. If it is the initialisation that all have seen, the history goes on:
// loads still find the older store.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_engine --scheduled --options "read_policy=oldest" %t | %FileCheck %s
// CHECK: the older store each time
#include "heddle_test.h"
#include <new>
#include <thread>

struct Crowd {
  alignas(8) atomic<int> object;
  char neighbours[4];
};

void CrowdOut(Crowd *crowd) {
  for (int i = 0; i < 4; i++)
    std::thread([=] {
      // Which access has to go depends on how many there have been.
      static int elsewhere[8];
      for (int j = 0; j < i; j++) {
        elsewhere[2 * j]++;
        asm volatile("" ::: "memory");
      }
      crowd->neighbours[i]++;
    }).join();
}

int main() {
  for (int round = 0; round < 10; round++) {
    Crowd *crowd = new Crowd;
    new (&crowd->object) atomic<int>(0);
    crowd->object.load(relaxed); // it is known
    alignas(8) atomic<int> stored{0}, crowded{0};
    int found = -1;
    std::thread writer([&] {
      crowd->object.store(1, relaxed);
      stored.store(1, relaxed);
    });
    std::thread reader([&] {
      while (!crowded.load(acquire)) {
      }
      found = crowd->object.load(relaxed);
    });
    // It orders nothing.
    while (!stored.load(relaxed)) {
    }
    CrowdOut(crowd);
    crowded.store(1, release);
    reader.join();
    writer.join();
    EXPECT(found == 0);
    delete crowd;
  }
  printf("the older store each time\n");
}
