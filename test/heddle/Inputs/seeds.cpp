// Appends the seed of its execution to a file.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

int main(int, char **arguments) {
  std::thread other([] {});
  other.join();
  const char *seed = strstr(getenv("TSAN_OPTIONS"), " seed=");
  FILE *file = fopen(arguments[1], "a");
  fprintf(file, "%d\n", seed ? atoi(seed + 6) : 0);
  fclose(file);
}
