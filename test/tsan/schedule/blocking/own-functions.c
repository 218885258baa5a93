// A program that defines a function which the runtime intercepts keeps its own, as with upstream.
//
// RUN: %clang_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=schedule=random %expect_clean %t
#include "heddle_test.h"

unsigned sleep(unsigned seconds);
unsigned sleep(unsigned seconds) { return seconds + 1; }
int flock(int fd, int operation);
int flock(int fd, int operation) { return fd + operation; }

int main(void) {
  EXPECT(sleep(3) == 4);
  EXPECT(flock(3, 4) == 7);
}
