// What the demo does not have is said at the end of a recording, and what it has is not.
//
// RUN: %clangxx_heddle %s -o %t -lrt && rm -rf %t.demo
// RUN: env TSAN_OPTIONS="schedule=random record_demo=%t.demo" %t %t.file 2>&1 | %FileCheck %s
#include "heddle_test.h"
#include <fcntl.h>
#include <signal.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void *Map(int fd, int flags) {
  return mmap(nullptr, 4096, PROT_READ, flags, fd, 0);
}

int main(int, char **argv) {
  int ends[2];
  EXPECT(!pipe(ends));
  for (int i = 0; i < 3; i++)
    ioctl(ends[0], 0x1234, nullptr);

  // Past libc's functions.
  timespec now;
  EXPECT(!syscall(SYS_clock_gettime, CLOCK_REALTIME, &now) && syscall(SYS_getpid) > 0); // the former as by libc
  EXPECT(syscall(SYS_getpid) > 0);
  char byte = 0;
  const int file = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  EXPECT(file >= 0 && syscall(SYS_write, file, "x", 1) == 1);
  EXPECT(syscall(SYS_write, ends[1], &byte, 1) == 1);

  // Commands, and a stream that turns into another.
  FILE *stream = popen("true", "r");
  EXPECT(stream && !pclose(stream) && !system("true") && system(nullptr));
  stream = fopen(argv[1], "r");
  EXPECT(stream && (stream = freopen(argv[1], "r", stream)));
  EXPECT((stream = freopen("/proc/self/stat", "r", stream)));
  EXPECT((stream = freopen64("/dev/null", "r", stream)));
  fclose(stream);

  // Memory that others have, too, and memory that they have not.
  const std::string name = "/heddle-" + std::to_string(syscall(SYS_gettid));
  const int memory = shm_open(name.c_str(), O_RDWR | O_CREAT, 0600);
  EXPECT(memory >= 0 && !ftruncate(memory, 4096) && Map(memory, MAP_SHARED) != MAP_FAILED);
  EXPECT(mmap64(nullptr, 4096, PROT_READ, MAP_SHARED, memory, 0) != MAP_FAILED);
  shm_unlink(name.c_str());
  const int zero = open("/dev/zero", O_RDWR);
  EXPECT(Map(memory, MAP_PRIVATE) != MAP_FAILED && Map(zero, MAP_SHARED) != MAP_FAILED);
  EXPECT(Map(file, MAP_SHARED) != MAP_FAILED);
  const int own = shmget(IPC_PRIVATE, 4096, 0600);
  EXPECT(own >= 0 && shmat(own, nullptr, 0) != MAP_FAILED);
  shmctl(own, IPC_RMID, nullptr);
  const int shared = shmget(ftok(argv[0], 1), 4096, IPC_CREAT | 0600);
  EXPECT(shared >= 0 && shmat(shared, nullptr, 0) != MAP_FAILED);
  shmctl(shared, IPC_RMID, nullptr);
  printf("done\n");
  fflush(stdout);
}
// CHECK: done
// CHECK-NEXT: note: 3 ioctl calls were not recorded
// CHECK-NEXT: note: 2 syscall(SYS_getpid) calls were not recorded
// CHECK-NEXT: note: 1 popen call was not recorded
// CHECK-NEXT: note: 1 system call was not recorded
// CHECK-NEXT: note: 1 freopen call was not recorded
// CHECK-NEXT: note: 1 freopen64 call was not recorded
// CHECK-NEXT: note: 1 syscall(SYS_gettid) call was not recorded
// CHECK-NEXT: note: 1 mmap(MAP_SHARED) call was not recorded
// CHECK-NEXT: note: 1 mmap64(MAP_SHARED) call was not recorded
// CHECK-NEXT: note: 1 shmat call was not recorded
// CHECK-NOT: note:
