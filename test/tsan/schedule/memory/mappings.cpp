// Mapping and unmapping memory are operations: a thread that does nothing else does not keep the others
// from going on.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --seeds 2 %t
#include "heddle_test.h"
#include <errno.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

static const size_t kSize = 1 << 16;

static void *Map(void *at) {
  return mmap(at, kSize, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED : 0), -1, 0);
}

int main() {
  EXPECT(mmap(nullptr, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  EXPECT(errno == EINVAL);
  void *memory = Map(nullptr);
  EXPECT(memory != MAP_FAILED);
  std::thread([=] {
    for (;;) {
      EXPECT(Map(memory) == memory);
      void *other = Map(nullptr);
      EXPECT(other != MAP_FAILED && !munmap(other, kSize));
    }
  }).detach();
  for (int i = 0; i < 3; i++)
    usleep(1);
}
