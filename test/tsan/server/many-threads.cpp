// An execution of a fork server has the program's threads and no others, unless a flag needs the
// runtime's own. More threads than the server has prepared anything for come and go as usual.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %fork_server "schedule=random" %t -- seed=1 seed=2 memory_limit_mb=1000 | %FileCheck %s
// CHECK: ready
// CHECK-NEXT: 2 threads of the system, 40 of the program
// CHECK-NEXT: ended 0
// CHECK-NEXT: 2 threads of the system, 40 of the program
// CHECK-NEXT: ended 0
// CHECK-NEXT: 3 threads of the system, 40 of the program
// CHECK-NEXT: ended 0
#include <atomic>
#include <dirent.h>
#include <stdio.h>
#include <thread>
#include <vector>

static int Tasks() {
  DIR *directory = opendir("/proc/self/task");
  int count = 0;
  while (const dirent *entry = readdir(directory))
    count += entry->d_name[0] != '.';
  closedir(directory);
  return count;
}

int main() {
  std::atomic<bool> go{false};
  std::thread first([&] {
    while (!go)
      std::this_thread::yield();
  });
  const int tasks = Tasks();
  go = true;
  first.join();
  std::atomic<int> ran{0};
  for (int i = 0; i < 2; i++) {
    std::vector<std::thread> threads;
    for (int j = 0; j < 20; j++)
      threads.emplace_back([&, j] { ran += int(std::vector<int>(1000, 1)[j]); });
    for (std::thread &thread : threads)
      thread.join();
  }
  printf("%d threads of the system, %d of the program\n", tasks, ran.load());
}
