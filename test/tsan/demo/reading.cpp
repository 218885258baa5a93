// What is read from devices, FIFOs, sockets and /proc is recorded; files are read again, also by a
// thread that reads nothing else.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --peer %t %s | %FileCheck %s
#include "peer.h"
#include <fcntl.h>
#include <fstream>
#include <thread>

static int Peer() {
  const int fd = AwaitProgram();
  for (std::string line = ReadLine(fd); !line.empty(); line = ReadLine(fd))
    Send(fd, "you said " + line + "\n");
  return 0;
}

static std::string First(const char *path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

int main(int argc, char **argv) {
  if (IsPeer(argc, argv))
    return Peer();
  const int fd = ConnectTo(argv[2]);
  char data[16];
  int reads = 0;
  std::thread file([&] {
    const int file = open(argv[1], O_RDONLY);
    EXPECT(file >= 0);
    while (read(file, data, sizeof(data)) > 0)
      reads++;
    close(file);
  });
  // Without waiting: how often there is nothing yet is the same in a replay.
  Send(fd, "hello\n");
  EXPECT(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK));
  int in_vain = 0;
  std::string answer;
  while (answer.empty() || answer.back() != '\n') {
    char byte;
    if (read(fd, &byte, 1) == 1)
      answer += byte;
    else
      in_vain++, EXPECT(errno == EAGAIN);
  }
  file.join();
  printf("%s%d times in vain, %d reads of a file\n", answer.c_str(), in_vain, reads);
  EXPECT(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK));

  // A stream over a socket.
  FILE *stream = fdopen(fd, "r+");
  fprintf(stream, "a %s\n", "stream");
  fflush(stream);
  char line[64] = {};
  EXPECT(fgets(line, sizeof(line), stream));
  printf("%s", line);
  fclose(stream);

  printf("this process: %s, on a machine that is up for %s s\n", First("/proc/self/stat").c_str(),
         First("/proc/uptime").c_str());
  printf("a thread of %s\n", First("/proc/thread-self/stat").c_str());
}
// CHECK: you said hello
// CHECK: times in vain, {{[1-9][0-9]+}} reads of a file
// CHECK: you said a stream
// CHECK: this process: {{[0-9]+}}, on a machine that is up for {{[0-9.]+}} s
