// Remembers its process before the first thread, and fails in any other.
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

// As the kernel calls it: getpid() says the same in each execution of a server.
static std::string Process() {
  char name[32] = {};
  return readlink("/proc/self", name, sizeof(name) - 1) > 0 ? name : "";
}

int main() {
  const std::string process = Process();
  std::thread([] {}).join();
  if (Process() != process)
    abort();
}
