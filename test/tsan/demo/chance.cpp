// Numbers from chance, each by another way and thread.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t | %FileCheck %s
#include "heddle_test.h"
#include <fcntl.h>
#include <fstream>
#include <random>
#include <sys/random.h>
#include <thread>
#include <unistd.h>
#include <vector>

static unsigned Draw(int way) {
  unsigned number = 0;
  switch (way) {
  case 0:
    EXPECT(getrandom(&number, sizeof(number), 0) == sizeof(number));
    break;
  case 1:
    EXPECT(!getentropy(&number, sizeof(number)));
    break;
  case 2: {
    const int fd = open("/dev/urandom", O_RDONLY);
    EXPECT(read(fd, &number, sizeof(number)) == sizeof(number));
    close(fd);
    break;
  }
  case 3: {
    FILE *file = fopen("/dev/urandom", "rb");
    EXPECT(fread(&number, sizeof(number), 1, file) == 1);
    fclose(file);
    break;
  }
  case 4:
    std::ifstream("/dev/urandom", std::ios::binary).read((char *)&number, sizeof(number));
    break;
  case 5:
    number = std::random_device()();
    break;
  case 6:
    number = std::random_device("/dev/urandom")();
    break;
  }
  return number;
}

int main() {
  unsigned numbers[7][3] = {};
  std::vector<std::thread> threads;
  for (int way = 0; way < 7; way++)
    threads.emplace_back([&numbers, way] {
      for (unsigned &each : numbers[way])
        each = Draw(way);
    });
  for (auto &thread : threads)
    thread.join();
  for (auto &drawn : numbers)
    printf("%u %u %u\n", drawn[0], drawn[1], drawn[2]);
  printf("end\n");
}
// CHECK: end
