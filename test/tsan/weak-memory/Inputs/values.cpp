// Prints what two threads read while two others write.
#include "heddle_test.h"
#include <thread>

alignas(8) atomic<int> location{0};

int main() {
  int seen[2][50];
  auto write = [](int by) {
    for (int i = 0; i < 50; i++)
      location.store(i * 2 + by, relaxed);
  };
  auto read = [&](int by) {
    for (int &value : seen[by])
      value = location.load(relaxed);
  };
  std::thread threads[] = {std::thread(write, 0), std::thread(read, 0), std::thread(write, 1),
                           std::thread(read, 1)};
  for (auto &thread : threads)
    thread.join();
  for (auto &values : seen)
    for (int value : values)
      printf("%d\n", value);
}
