// Programs that do what programs seldom do. Each has a race, where it comes so far.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <unistd.h>

int shared;

void Race() {
  std::thread other([] { shared++; });
  shared++;
  other.join();
}

#ifdef DIES_BEFORE_MAIN
struct Early {
  Early() { abort(); }
} early;
#elif defined(EXITS_BEFORE_MAIN)
struct Early {
  Early() { exit(7); }
} early;
#endif

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "daemon")) {
    if (daemon(1, 1))
      return 9;
    kill(getpid(), SIGKILL); // whether a report of it still comes in time is chance
  } else if (!strcmp(what, "read")) {
    return getchar() == EOF ? 3 : 4; // a hunt gives it nothing to read
  } else if (!strcmp(what, "print")) {
    for (int i = 0; i < 100000; i++)
      printf("a line of no interest, again and again: %d\n", i);
  } else if (!strcmp(what, "orphan")) {
    if (fork() == 0) {
      FILE *file = fopen(argv[2], "w");
      fprintf(file, "%d", getpid());
      fclose(file);
      rename(argv[2], argv[3]);
      execlp("sleep", "sleep", "1000000", nullptr);
      _exit(1);
    }
    while (access(argv[3], F_OK))
      usleep(1000);
  } else if (!strcmp(what, "alone")) {
    puts("no thread");
    return 0;
  }
  Race();
}
