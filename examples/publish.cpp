// A correct program that stock ThreadSanitizer reports as racy.
//
// The message is published with fences: a release fence before a relaxed store,
// and an acquire fence after the relaxed load that has read it. The two fences
// synchronise, so the write happens before the read. Stock ThreadSanitizer
// ignores fences.

#include <atomic>
#include <cstdio>
#include <thread>

int message;
static std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    message = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (!ready.load(std::memory_order_relaxed))
      std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
    std::printf("message: %d\n", message);
  });
  writer.join();
  reader.join();
}
