// What a recording leaves that is killed can be played. utils/kill-recordings kills more.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %source_dir/utils/kill-recordings --kills 6 %t
#include "heddle_test.h"
#include <thread>
#include <sys/random.h>
#include <unistd.h>

int main() {
  std::atomic<int> sum{0};
  std::thread threads[3];
  for (std::thread &thread : threads)
    thread = std::thread([&] {
      for (int i = 0; i < 3000; i++) {
        unsigned random = 0;
        getrandom(&random, sizeof(random), 0);
        sum += int(random % 10);
        char text[16];
        if (i % 100 == 0)
          EXPECT(write(1, text, snprintf(text, sizeof(text), "%d\n", sum.load())) > 0);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}
