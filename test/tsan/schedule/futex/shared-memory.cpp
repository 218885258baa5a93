// Another process wakes a futex in shared memory: the wait for it is left to the kernel.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel --seeds 1 %t
#include "heddle_test.h"
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  void *memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  auto *word = new (memory) std::atomic<int>(0);
  pid_t child = fork();
  EXPECT(child >= 0);
  if (!child) {
    *word = 1;
    while (syscall(SYS_futex, word, FUTEX_WAKE, 1) == 0 && *word == 1)
      ;
    _exit(0);
  }
  while (*word == 0)
    syscall(SYS_futex, word, FUTEX_WAIT, 0, nullptr);
  *word = 2;
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
}
