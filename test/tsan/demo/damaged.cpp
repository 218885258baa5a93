// A damaged demo is refused, or what is left of it is played. utils/damage-demos plays many
// more of them.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %source_dir/utils/damage-demos --demos 60 --seed 2 --input "some input" %t
// RUN: %source_dir/utils/damage-demos --demos 30 --seed 3 --options "schedule=queue" --input "some input" %t
#include "heddle_test.h"
#include <thread>
#include <sys/random.h>
#include <unistd.h>

int main() {
  std::atomic<int> sum{0};
  std::thread reader([&] {
    char c;
    while (read(0, &c, 1) == 1)
      sum += c;
  });
  std::thread counter([&] {
    for (int i = 0; i < 200; i++)
      sum.fetch_add(1, relaxed);
  });
  reader.join();
  counter.join();
  unsigned random = 0;
  getrandom(&random, sizeof(random), 0);
  printf("%d %u\n", sum.load(), random);
}
