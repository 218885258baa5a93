// Makes a file and waits for ever.
#include <fcntl.h>
#include <thread>
#include <unistd.h>

int main(int, char **arguments) {
  std::thread other([] {});
  other.join();
  close(open(arguments[1], O_CREAT | O_WRONLY, 0600));
  int ends[2];
  char byte;
  return pipe(ends) || read(ends[0], &byte, 1) < 0;
}
