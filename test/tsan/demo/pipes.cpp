// What the program's threads write to each other through pipes and pairs of sockets is not in the
// demo: 10 MB leave a small one. What comes from elsewhere is.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t
// RUN: %record_and_play %t nonblocking
// RUN: %record_and_play %t writers
// RUN: %record_and_play %t child
// RUN: for way in blocking nonblocking; do for schedule in random queue; do rm -rf %t.demo && env TSAN_OPTIONS="schedule=$schedule record_demo=%t.demo" %t $way && test $(cat %t.demo/* | wc -c) -lt 100000 || exit 1; done; done
//
// And what a child has written is: it is in no other place.
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random record_demo=%t.demo" %t child && test $(cat %t.demo/SYSCALL | wc -c) -gt 500000
#include "heddle_test.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

constexpr size_t kSize = 10 << 20;

// That nothing makes shorter.
static std::vector<unsigned char> Noise(size_t size, unsigned seed) {
  std::vector<unsigned char> bytes(size);
  unsigned long long state = seed + 1;
  for (auto &byte : bytes) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    byte = state >> 56;
  }
  return bytes;
}

static void Await(int fd, short what) {
  pollfd file = {fd, what, 0};
  EXPECT(poll(&file, 1, -1) == 1);
}

static void WriteAll(int fd, const unsigned char *bytes, size_t size, size_t most) {
  for (size_t done = 0; done < size;) {
    const ssize_t result = write(fd, bytes + done, std::min(most, size - done));
    if (result < 0) {
      EXPECT(errno == EAGAIN);
      Await(fd, POLLOUT);
    } else {
      done += result;
    }
  }
}

// Returns a sum over what it has read.
static unsigned long long ReadAll(int fd, size_t size, size_t most) {
  std::vector<unsigned char> bytes(most);
  unsigned long long sum = 0;
  for (size_t done = 0; done < size;) {
    const ssize_t result = read(fd, bytes.data(), most);
    if (result < 0) {
      EXPECT(errno == EAGAIN);
      Await(fd, POLLIN);
      continue;
    }
    EXPECT(result > 0);
    for (ssize_t i = 0; i < result; i++)
      sum = sum * 31 + bytes[i];
    done += result;
  }
  return sum;
}

static unsigned long long Sum(const std::vector<unsigned char> &bytes) {
  unsigned long long sum = 0;
  for (unsigned char byte : bytes)
    sum = sum * 31 + byte;
  return sum;
}

// One writes, in pieces of another size than those that are read, and one reads.
static void Through(int reads, int writes, size_t size, size_t piece) {
  const auto bytes = Noise(size, unsigned(size));
  std::thread writer([&] { WriteAll(writes, bytes.data(), size, piece); });
  EXPECT(ReadAll(reads, size, 50000) == Sum(bytes));
  writer.join();
}

// Several write to one pipe. What is read is printed: it depends on who came first.
static void Writers() {
  int ends[2];
  EXPECT(!pipe(ends));
  std::vector<std::thread> writers;
  for (unsigned i = 0; i < 3; i++) {
    writers.emplace_back([&, i] {
      const auto bytes = Noise(100000, i);
      WriteAll(ends[1], bytes.data(), bytes.size(), i ? 7000 : 100000);
    });
  }
  printf("%llx\n", ReadAll(ends[0], 300000, 10000));
  for (auto &writer : writers)
    writer.join();
}

// The writing end has left: a child writes, too.
static void Child() {
  int ends[2];
  EXPECT(!pipe(ends));
  const auto bytes = Noise(1 << 20, unsigned(getpid()));
  std::thread([&] { WriteAll(ends[1], bytes.data(), 1000, 1000); }).join();
  const int child = fork();
  if (!child) {
    WriteAll(ends[1], bytes.data() + 1000, bytes.size() - 1000, bytes.size());
    _exit(0);
  }
  EXPECT(ReadAll(ends[0], bytes.size(), 50000) == Sum(bytes));
  EXPECT(waitpid(child, nullptr, 0) == child);
}

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "blocking";
  if (what == "writers") {
    Writers();
  } else if (what == "child") {
    Child();
  } else {
    int ends[2], pair[2];
    const bool blocks = what == "blocking";
    EXPECT(!pipe2(ends, blocks ? 0 : O_NONBLOCK));
    EXPECT(!socketpair(AF_UNIX, SOCK_STREAM | (blocks ? 0 : SOCK_NONBLOCK), 0, pair));
    Through(ends[0], ends[1], kSize, 30000);
    Through(pair[0], pair[1], 1 << 20, 1 << 20);
    Through(pair[1], pair[0], 1 << 20, 100);
    // A copy, and what is left behind by who read too little.
    const int copy = dup(ends[1]);
    EXPECT(write(copy, "abc", 3) == 3);
    char two[3] = {}, one = 0;
    EXPECT(recv(pair[0], two, 1, MSG_DONTWAIT) == -1);
    EXPECT(read(ends[0], two, 2) == 2 && read(ends[0], &one, 1) == 1);
    printf("%s %c\n", two, one);
    EXPECT(send(pair[0], "xyz", 3, 0) == 3 && recv(pair[1], two, 2, MSG_PEEK) == 2);
    EXPECT(recv(pair[1], &one, 1, 0) == 1 && one == 'x' && recv(pair[1], two, 2, 0) == 2);
    printf("%s\n", two);
  }
  printf("done\n");
}
