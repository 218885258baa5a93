// A replay reports the races that the recording did, and no others. What the race detector keeps
// about a descriptor, and about what is synchronised by one, has its place in the schedule, also
// if the call is made away from it: accept gets a number that another thread has just closed, read
// waits for what another has written.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %record_and_play --times 4 %t numbers
// RUN: %record_and_play --times 4 %t data
//
// Who closes what another has accepted, without being told so in order, races, each time.
// RUN: rm -rf %t.demo
// RUN: %expect_race env TSAN_OPTIONS="suppress_equal_stacks=0 schedule=random record_demo=%t.demo" %t closes > %t.out 2>&1
// RUN: grep -c 'WARNING: ThreadSanitizer: data race' %t.out > %t.recorded
// RUN: for i in 1 2 3; do %expect_race env TSAN_OPTIONS="suppress_equal_stacks=0 play_demo=%t.demo" %t closes 2>&1 | grep -c 'WARNING: ThreadSanitizer: data race' | diff %t.recorded - || exit 1; done
#include "heddle_test.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

constexpr int kTimes = 300;

// With so many connections that wait to be accepted.
static int Listen(int connections) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(name);
  auto *address = reinterpret_cast<sockaddr *>(&name);
  EXPECT(!bind(listener, address, size) && !listen(listener, connections));
  EXPECT(!getsockname(listener, address, &size));
  for (int i = 0; i < connections; i++) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(fd >= 0 && !connect(fd, address, size));
    close(fd);
  }
  return listener;
}

static void Numbers() {
  const int listener = Listen(kTimes);
  atomic<bool> done{false};
  std::thread accepts([&] {
    for (int i = 0; i < kTimes; i++) {
      const int fd = accept(listener, nullptr, nullptr);
      EXPECT(fd >= 0);
      close(fd);
    }
    done.store(true, relaxed);
  });
  std::thread opens([&] {
    while (!done.load(relaxed))
      close(open("/dev/null", O_RDONLY));
  });
  accepts.join();
  opens.join();
}

static void Data() {
  int there[2], back[2], shared = 0;
  EXPECT(!pipe(there) && !pipe(back));
  char byte = 0;
  std::thread other([&] {
    char byte = 0;
    for (int i = 0; i < kTimes; i++) {
      EXPECT(read(there[0], &byte, 1) == 1);
      shared++;
      EXPECT(write(back[1], &byte, 1) == 1);
    }
  });
  for (int i = 0; i < kTimes; i++) {
    shared++;
    EXPECT(write(there[1], &byte, 1) == 1 && read(back[0], &byte, 1) == 1);
  }
  other.join();
  EXPECT(shared == 2 * kTimes);
}

static void Closes() {
  const int listener = Listen(10);
  atomic<int> given{-1};
  std::thread accepts([&] {
    for (int i = 0; i < 10; i++) {
      const int fd = accept(listener, nullptr, nullptr);
      EXPECT(fd >= 0);
      given.store(fd, relaxed);
      while (given.load(relaxed) >= 0)
        ;
    }
  });
  for (int i = 0; i < 10; i++) {
    while (given.load(relaxed) < 0)
      ;
    close(given.load(relaxed));
    given.store(-1, relaxed);
  }
  accepts.join();
}

int main(int, char **argv) {
  const std::string what = argv[1];
  what == "numbers" ? Numbers() : what == "data" ? Data() : Closes();
  printf("done\n");
}
