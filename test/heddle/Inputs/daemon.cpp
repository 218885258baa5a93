// Starts a daemon, whose number goes to FILE, and which would never end:
//
//   daemon leave FILE   and ends
//   daemon use FILE     asks it something when its threads have ended; 3 if there is no answer
//   daemon wait FILE    and waits for ever
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

#include <csignal>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Double fork and a session of its own: it is in nobody's group, and nobody's child.
[[noreturn]] void Daemon(int socket, const char *path) {
  setsid();
  if (fork())
    _exit(0);
  signal(SIGPIPE, SIG_IGN);
  const std::string first = std::string(path) + ".first." + std::to_string(getpid());
  FILE *file = fopen(first.c_str(), "w");
  fprintf(file, "%d", getpid());
  fclose(file);
  rename(first.c_str(), path);
  char byte = 0;
  do
    (void)!write(socket, &byte, 1);
  while (read(socket, &byte, 1) == 1);
  while (true)
    pause();
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 4;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 5;
  const pid_t process = fork();
  if (process == 0)
    Daemon(ends[1], argv[2]);
  close(ends[1]);
  waitpid(process, nullptr, 0);
  char byte = 1;
  if (read(ends[0], &byte, 1) != 1)
    return 3;
  std::thread([] {}).join();
  while (!strcmp(argv[1], "wait"))
    pause();
  if (!strcmp(argv[1], "use"))
    return write(ends[0], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1 ? 0 : 3;
}
