// The runtime's zlib does what it is to do, and calls nothing of the program's: neither
// its allocator nor memcpy and memset, which ThreadSanitizer watches. The static runtime's
// hidden functions are in reach of the program that it is linked into.
//
// The text is written by a thread that nothing orders before main: a memcpy that is watched
// would be reported, and is in the sibling.
//
// RUN: %clangxx_heddle -I%source_dir/lib %s -o %t && %expect_clean %t
// RUN: %clangxx_heddle -I%source_dir/lib -no-pie %s -o %t.fixed && %expect_clean %t.fixed

// RUN: %clangxx_heddle -I%source_dir/lib -DWATCHED %s -o %t.watched && %expect_race %t.watched 2>&1 | %FileCheck %s --check-prefix=WATCHED
// WATCHED: WARNING: ThreadSanitizer: data race
// WATCHED: memcpy
#include "heddle/demo/demo_codec.h"

#include <atomic>
#include <stdlib.h>
#include <string.h>
#include <thread>

static thread_local bool inside, called;

extern "C" void __sanitizer_malloc_hook(const volatile void *, size_t) { called |= inside; }
extern "C" void __sanitizer_free_hook(const volatile void *) { called |= inside; }

constexpr size_t kSize = 5000;
static unsigned char text[kSize], packed[kSize], again[kSize];
static std::atomic<bool> written;

int main() {
  void *memory = aligned_alloc(16, __heddle::kCodecMemory);
  std::thread writer([] {
    for (size_t i = 0; i < kSize; i++)
      text[i] = "a thread or two "[i % 16] + (i % 1000 == 0);
    written.store(true, std::memory_order_relaxed);
  });
  while (!written.load(std::memory_order_relaxed))
    std::this_thread::yield();

  inside = true;
#ifdef WATCHED
  memcpy(packed, text, kSize);
#endif
  size_t size = __heddle::Deflate(text, kSize, packed, kSize, memory);
  bool good = size && __heddle::Inflate(packed, size, again, kSize, memory);
  unsigned checksum =
      __heddle::Checksum(0, reinterpret_cast<const unsigned char *>("123456789"), 9);
  inside = false;

  writer.join();
  return !good || called || size > 500 || memcmp(text, again, kSize) || checksum != 0xcbf43926;
}
