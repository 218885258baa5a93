// Two threads count in a library.
//
//   sample release   ordered by a release store and an acquire load
//   sample relaxed   not ordered: a race in count.c
#include <atomic>
#include <cstdio>
#include <cstring>
#include <thread>

#include "count.h"

// Apart from the library's count: who asks for it must not drive an access to that out of the shadow.
alignas(8) static std::atomic<int> ready{0};

int main(int argc, char **argv) {
  const bool ordered = argc > 1 && !std::strcmp(argv[1], "release");
  std::thread first([ordered] {
    count_up();
    if (ordered)
      ready.store(1, std::memory_order_release);
    else
      ready.store(1, std::memory_order_relaxed);
  });
  while (!(ordered ? ready.load(std::memory_order_acquire) : ready.load(std::memory_order_relaxed)))
    std::this_thread::yield();
  std::printf("count %d\n", count_up());
  first.join();
  return 0;
}
