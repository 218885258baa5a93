// Files are read and written again in a replay. Such a call waits for nobody, also if its thread
// has no input, or none any more. Standard output may be a file in one run and a pipe in the other.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t %t.file | %FileCheck %s
// RUN: rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t %t.file > %t.out
// RUN: env TSAN_OPTIONS="play_demo=%t.demo" %t %t.file | diff %t.out -
#include "heddle_test.h"
#include <fcntl.h>
#include <mutex>
#include <thread>
#include <unistd.h>

constexpr int kRounds = 20;

static std::mutex mutex;
static int turns, last;
static void Turn(int who) {
  std::lock_guard<std::mutex> lock(mutex);
  turns += last != who;
  last = who;
}

static int WriteAndRead(const char *path) {
  int sum = 0;
  for (int i = 0; i < kRounds; i++) {
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    EXPECT(write(fd, &i, sizeof(i)) == sizeof(i));
    Turn(1);
    int back = 0;
    EXPECT(pread(fd, &back, sizeof(back), 0) == sizeof(back));
    Turn(1);
    close(fd);
    sum += back;
  }
  return sum;
}

int main(int, char **argv) {
  int sum = 0;
  std::thread other([&] { sum = WriteAndRead(argv[1]); });
  for (int i = 0; i < kRounds; i++) {
    const char digit = '0' + i % 10;
    EXPECT(write(1, &digit, 1) == 1);
    Turn(2);
  }
  other.join();
  printf("\n%d, %d turns\n", sum, turns);
}

// CHECK: 01234567890123456789
// CHECK-NEXT: 190, {{[0-9]+}} turns
