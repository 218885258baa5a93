// Remembers its process before the first thread, and fails in any other.
#include <cstdlib>
#include <thread>
#include <unistd.h>

int main() {
  const pid_t process = getpid();
  std::thread([] {}).join();
  if (getpid() != process)
    abort();
}
