// The numbers of descriptors are the same in a replay, also where the kernel chose one for a
// thread that was away, while others opened and closed files.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t
#include "heddle_test.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

static void Say(const char *what, int fd) {
  char text[64];
  EXPECT(write(1, text, snprintf(text, sizeof(text), "%s %d\n", what, fd)) > 0);
}

int main() {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  socklen_t size = sizeof(address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT(bind(server, (sockaddr *)&address, size) == 0 && listen(server, 10) == 0);
  EXPECT(getsockname(server, (sockaddr *)&address, &size) == 0);
  constexpr int kRounds = 20;
  std::thread acceptor([&] {
    for (int i = 0; i < kRounds; i++) {
      const int fd = accept(server, nullptr, nullptr);
      Say("accepted", fd);
      if (i % 2)
        close(fd);
    }
  });
  std::thread opener([&] {
    for (int i = 0; i < 2 * kRounds; i++) {
      const int fd = open("/", O_RDONLY);
      Say("opened", fd);
      if (i % 3)
        close(fd);
    }
  });
  for (int i = 0; i < kRounds; i++) {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(connect(fd, (sockaddr *)&address, size) == 0);
    Say("connected", fd);
  }
  acceptor.join();
  opener.join();
}
