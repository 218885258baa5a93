// Nothing is wrong with it.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>

int data;
std::atomic<int> flag{0};

int main(int, char **arguments) {
  std::thread writer([] {
    data = 1;
    flag.store(1, std::memory_order_release);
  });
  if (flag.load(std::memory_order_acquire))
    assert(data == 1);
  writer.join();
  printf("done %s\n", arguments[1] ? arguments[1] : "");
}
