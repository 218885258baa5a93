// accept has a number for what it will return from the moment it begins to wait: whatever else
// opens a file meanwhile gets another. In a replay nobody waits, and the numbers are the same.
// So are the names of temporary files.
//
// RUN: %clangxx_heddle %s -o %t && rm -rf %t.dir && mkdir %t.dir
// RUN: cd %t.dir && %record_and_play --seeds 2 %t | %FileCheck %s
#include "heddle_test.h"
#include <arpa/inet.h>
#include <atomic>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

static sockaddr_in Listen(int listener) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT(!bind(listener, (sockaddr *)&address, size) && !listen(listener, 1));
  EXPECT(!getsockname(listener, (sockaddr *)&address, &size));
  return address;
}

// Until the thread is in the kernel, in accept. The file is open all the time: nothing else is
// opened here that could get accept's number.
static void WaitForAccept(int file) {
  for (int call = 0; call != SYS_accept && call != SYS_accept4;) {
    char text[64] = {};
    EXPECT(pread(file, text, sizeof(text) - 1, 0) > 0);
    call = atoi(text); // or "running"
  }
}

int main(int, char **argv) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = Listen(listener);
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  const int low = dup(0); // there is a lower one than accept's
  int accepted = -1;
  std::atomic<int> id{0}, go{0};
  std::thread server([&] {
    id = gettid();
    while (!go)
      std::this_thread::yield();
    accepted = accept(listener, nullptr, nullptr);
  });
  while (!id)
    std::this_thread::yield();
  char path[64];
  snprintf(path, sizeof(path), "/proc/self/task/%d/syscall", id.load());
  const int state = open(path, O_RDONLY);
  go = 1;
  WaitForAccept(state);
  close(low);

  FILE *file = fopen(argv[0], "r");
  DIR *directory = opendir("/");
  char names[3][20] = {"first-XXXXXX", "second-XXXXXX.c", "third-XXXXXX"};
  const int temporary[] = {mkstemp(names[0]), mkstemps(names[1], 2), memfd_create("memory", 0),
                           inotify_init1(IN_CLOEXEC)};
  EXPECT(mkdtemp(names[2]) == names[2]);
  FILE *unnamed = tmpfile();
  EXPECT(file && directory && unnamed && !fopen("does-not-exist", "r"));
  printf("fopen %d, opendir %d, tmpfile %d\n", fileno(file), dirfd(directory), fileno(unnamed));
  for (int fd : temporary)
    printf("%d\n", fd);
  for (const char *name : names)
    printf("%s\n", name);
  EXPECT(write(temporary[0], "text", 4) == 4 && lseek(temporary[0], 0, SEEK_CUR) == 4);
  EXPECT(!unlink(names[0]) && !unlink(names[1]) && !rmdir(names[2]));

  EXPECT(!connect(client, (const sockaddr *)&address, sizeof(address)));
  server.join();
  printf("accept %d\n", accepted);
  fclose(file);
  closedir(directory);
  fclose(unnamed);
}
// CHECK: accept
