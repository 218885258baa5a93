// A program with children: a replay has them too, and tells the program of those in the recording.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t %t.out | %FileCheck %s
#include "heddle_test.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static atomic<int> ended;
static void Handle(int) { ended++; }

int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  printf("%d, child of %d\n", getpid(), getppid());

  // One that talks.
  int there[2], back[2];
  EXPECT(!pipe(there) && !pipe(back));
  int child = fork();
  if (!child) {
    char byte = 0;
    EXPECT(read(there[0], &byte, 1) >= 0);
    byte++;
    EXPECT(write(back[1], &byte, 1) == 1);
    _exit(byte == 'b' ? 7 : 8);
  }
  EXPECT(write(there[1], "a", 1) == 1);
  char byte = 0;
  EXPECT(read(back[0], &byte, 1) == 1);
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  printf("%d says %c and exits with %d\n", child, byte, WEXITSTATUS(status));

  // One that writes a file, which is read in a replay as well.
  child = fork();
  if (!child) {
    FILE *file = fopen(argv[1], "w");
    fputs("from a child\n", file);
    fclose(file);
    _exit(0);
  }
  EXPECT(wait(&status) == child && !status);
  char line[32] = {};
  FILE *file = fopen(argv[1], "r");
  EXPECT(fgets(line, sizeof(line), file));
  fclose(file);
  printf("%s", line);
  unlink(argv[1]);

  // One that is killed.
  struct sigaction action = {};
  action.sa_handler = Handle;
  action.sa_flags = SA_RESTART;
  EXPECT(!sigaction(SIGCHLD, &action, nullptr));
  child = fork();
  if (!child)
    for (;;)
      pause();
  long looks = 0;
  EXPECT(!kill(child, SIGTERM));
  while (!ended.load())
    looks++;
  EXPECT(waitpid(child, &status, WNOHANG) == child);
  printf("%d ended by signal %d, after %ld looks\n", child, WTERMSIG(status), looks);
  EXPECT(waitpid(-1, nullptr, 0) == -1 && errno == ECHILD);
  EXPECT(!kill(getpid(), 0));
}
// CHECK: says b and exits with 7
// CHECK: from a child
// CHECK: ended by signal 15
