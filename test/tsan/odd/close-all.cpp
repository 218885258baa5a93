// A program that closes all descriptors there are, as daemons do, does not close the runtime's: it is recorded to its
// end.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env SIX_MODES=1 %six_modes %t
// RUN: %record_and_play %t
#include "heddle_test.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static bool IsOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

static void CloseListed() {
  DIR *directory = opendir("/proc/self/fd");
  while (const dirent *entry = readdir(directory)) {
    const int fd = atoi(entry->d_name);
    if (fd > 2 && fd != dirfd(directory))
      close(fd);
  }
  closedir(directory);
}

int main(int argc, char **) {
  rlimit limit;
  EXPECT(!getrlimit(RLIMIT_NOFILE, &limit));
  const int most = limit.rlim_cur < 8192 ? int(limit.rlim_cur) : 8192;
  for (int way = 0; way < 5; way++) {
    const int low = dup(0), high = fcntl(0, F_DUPFD, most - 1);
    EXPECT(low == 3 && high == most - 1);
    switch (way) {
    case 0:
      for (int fd = 3; fd < most; fd++)
        close(fd);
      break;
    case 1:
      closefrom(3);
      break;
    case 2:
      EXPECT(!close_range(3, ~0u, 0));
      break;
    case 3:
      EXPECT(!syscall(SYS_close_range, 3, ~0u, 0));
      break;
    case 4:
      CloseListed();
    }
    EXPECT(!IsOpen(low) && !IsOpen(high));
  }
  EXPECT(close_range(5, 4, 0) == -1 && errno == EINVAL);
  // What comes now is recorded, too.
  std::atomic<unsigned> sum{0};
  std::thread thread([&] { sum++; });
  sum++;
  thread.join();
  unsigned random = 0;
  EXPECT(getrandom(&random, sizeof(random), 0) == sizeof(random) && sum == 2);
  printf("%x\n", getenv("SIX_MODES") ? 0 : random);
  EXPECT(argc == 1);
}
