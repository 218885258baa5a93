//===-- heddle_orphan.cpp - Processes of the runtime's own ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program that finds symbols must not be a child of the program: with a demo it is there
// from the start, and a program that waits for any child until there is none would wait for
// it. So it is the child of a process that ends at once.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_timestamps.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace __sanitizer {

// Seam symbolizer-orphan: like fork.
int ForkOrphan() {
  const uptr memory = internal_mmap(nullptr, sizeof(int), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (internal_iserror(memory))
    return int(memory);
  auto *orphan = reinterpret_cast<volatile int *>(memory);
  *orphan = -EAGAIN;
  // No signal tells of its end.
  const int parent = int(syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr));
  if (parent == 0) {
    const int child = int(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (child == 0) {
      __heddle::EndTimestamps(); // the symbolizer is another program
      return 0;
    }
    if (child > 0)
      *orphan = child;
    internal__exit(0);
  }
  while (parent > 0 && syscall(SYS_wait4, parent, nullptr, __WALL, nullptr) < 0 && errno == EINTR)
    ;
  const int result = *orphan;
  internal_munmap(reinterpret_cast<void *>(memory), sizeof(int));
  return result;
}

// Seam symbolizer-runs.
bool IsOrphanRunning(int process) { return !syscall(SYS_kill, process, 0); }

} // namespace __sanitizer
