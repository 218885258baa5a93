// Stops its parent, as a test of job control may.
#include <csignal>
#include <cstdio>
#include <thread>
#include <unistd.h>

int main() {
  std::thread([] {}).join();
  kill(getppid(), SIGSTOP);
  puts("done");
}
