// A race that stock ThreadSanitizer cannot see.
//
// The writer fills `message` and publishes it with a release store. A monitor
// notes that it has seen the publication by storing to the same flag, relaxed.
// The reader waits for the monitor's note, with an acquire load, and reads.
//
// The reader reads the monitor's store, which is no part of the writer's
// release sequence: since C++20 only read-modify-writes continue one, and before
// that, only stores of the same thread did. Nothing orders the write of `message`
// before the read. With `flag.fetch_add(1, std::memory_order_relaxed)` in the
// monitor the program would be correct.

#include <atomic>
#include <cstdio>
#include <thread>

// Apart: ThreadSanitizer remembers the last four accesses to each eight bytes.
alignas(8) int message;
alignas(8) static std::atomic<int> flag{0};

static void Await(int value) {
  while (flag.load(std::memory_order_relaxed) != value)
    std::this_thread::yield();
}

int main() {
  std::thread writer([] {
    message = 42;
    flag.store(1, std::memory_order_release);
  });
  std::thread monitor([] {
    Await(1);
    flag.store(2, std::memory_order_relaxed);
  });
  std::thread reader([] {
    Await(2);
    if (flag.load(std::memory_order_acquire) == 2)
      std::printf("message: %d\n", message);
  });
  writer.join();
  monitor.join();
  reader.join();
}
