// Fails as its child does, whose reason comes from outside.
#include <sys/random.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

int main() {
  std::thread([] {}).join();
  const int child = fork();
  if (!child) {
    unsigned char chance = 0;
    if (getrandom(&chance, 1, 0) != 1)
      _exit(99);
    _exit(chance < 128 ? 3 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}
