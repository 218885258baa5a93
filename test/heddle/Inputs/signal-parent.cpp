// Tells its parent that it is ready, as some daemons do.
#include <csignal>
#include <cstdio>
#include <thread>
#include <unistd.h>

int main() {
  std::thread([] {}).join();
  kill(getppid(), SIGUSR1);
  kill(getppid(), SIGINT);
  puts("done");
}
