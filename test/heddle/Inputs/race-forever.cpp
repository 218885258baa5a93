// Has a race; with every seed but the first, waits for ever after that, and says who it is in a file.
#include <cstdio>
#include <string>
#include <thread>
#include <unistd.h>

int shared;

int main(int, char **arguments) {
  std::thread other([] { shared++; });
  shared++;
  other.join();
  const std::string mark = std::string(arguments[1]) + ".first";
  if (access(mark.c_str(), F_OK)) {
    fclose(fopen(mark.c_str(), "w"));
    return 0;
  }
  if (access(arguments[1], F_OK) == 0)
    return 0;
  const std::string draft = std::string(arguments[1]) + ".draft";
  FILE *file = fopen(draft.c_str(), "w");
  fprintf(file, "%d\n", int(getpid()));
  fclose(file);
  rename(draft.c_str(), arguments[1]);
  int ends[2];
  char byte;
  return pipe(ends) || read(ends[0], &byte, 1) < 0;
}
