// Processes that an execution of a fork server leaves behind are gone before the next one begins:
// also daemons, and also when the execution is killed.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: rm -f %t.left
// RUN: %fork_server "schedule=random" %t %t.left exit -- seed=1 seed=2 seed=3 | %FileCheck %s
// RUN: rm -f %t.left
// RUN: %fork_server "schedule=random" %t %t.left kill -- seed=1 seed=2 seed=3 | %FileCheck %s --check-prefix=KILLED
//
// CHECK: ready
// CHECK-NEXT: 0 of 0 are left
// CHECK-NEXT: ended 0
// CHECK-NEXT: 0 of 3 are left
// CHECK-NEXT: ended 0
// CHECK-NEXT: 0 of 6 are left
// CHECK-NEXT: ended 0
// CHECK-NEXT: server 0
// KILLED: ended -9
// KILLED: 0 of 3 are left
// KILLED: ended -9
// KILLED: 0 of 6 are left
// KILLED: ended -9
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <thread>
#include <unistd.h>

// Forks `times`, each from the one before, and says who is there in the end.
static void LeaveBehind(FILE *list, int times, bool daemon) {
  int ends[2], process = 0;
  if (pipe(ends))
    return;
  if (fork() == 0) {
    for (int i = 1; i < times; i++)
      if (fork())
        _exit(0);
    if (daemon)
      setsid();
    process = getpid();
    (void)!write(ends[1], &process, sizeof(process));
    for (;;)
      pause();
  }
  (void)!read(ends[0], &process, sizeof(process));
  fprintf(list, "%d\n", process);
  close(ends[0]);
  close(ends[1]);
}

int main(int, char **arguments) {
  std::thread([] {}).join();
  FILE *list = fopen(arguments[1], "a+");
  int process, all = 0, left = 0;
  while (fscanf(list, "%d", &process) == 1) {
    all++;
    left += kill(process, 0) == 0 || errno != ESRCH;
  }
  printf("%d of %d are left\n", left, all);
  fflush(stdout);
  LeaveBehind(list, 1, false);
  LeaveBehind(list, 1, true);
  LeaveBehind(list, 2, true);
  fclose(list);
  if (!strcmp(arguments[2], "kill"))
    raise(SIGKILL);
  _exit(0);
}
