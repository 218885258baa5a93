// What execution_file= has after each end of a program: every operation, however sudden the end was, and nothing else
// if there was time to say so. A pipe gets the same lines as a file.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1 execution_file=%t.whole" %t 100000
// RUN: tail -c 1 %t.whole | od -An -c | %FileCheck --check-prefix=WHOLE %s
// WHOLE: \n
// RUN: grep -c kind...rmw %t.whole | %FileCheck --check-prefix=OPERATIONS %s
// OPERATIONS: 100000
//
// RUN: mkfifo %t.pipe; cat %t.pipe > %t.piped & env TSAN_OPTIONS="schedule=random seed=1 execution_file=%t.pipe" %t 100000; wait; rm %t.pipe
// RUN: grep -c kind...rmw %t.piped | %FileCheck --check-prefix=OPERATIONS %s
//
// An older file of that name has nothing to do with it.
// RUN: env TSAN_OPTIONS="schedule=random seed=1 execution_file=%t.whole" %t 1
// RUN: grep -c kind...rmw %t.whole | %FileCheck --check-prefix=ONE %s
// ONE: {{^1$}}
//
// RUN: (env TSAN_OPTIONS="schedule=random seed=1 execution_file=%t.killed" %t 12345 killed; true) > /dev/null 2>&1
// RUN: grep -ac kind...rmw %t.killed | %FileCheck --check-prefix=KILLED %s
// KILLED: 12345
//
// A child that is forked leaves its parent's file alone.
// RUN: env TSAN_OPTIONS="schedule=random seed=1 execution_file=%t.forked" %t 1000 forks
// RUN: grep -c kind...rmw %t.forked | %FileCheck --check-prefix=FORKED %s
// FORKED: 1000
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

std::atomic<int> count;

int main(int argc, char **argv) {
  const char *how = argc > 2 ? argv[2] : "";
  if (!strcmp(how, "forks")) {
    const pid_t child = fork();
    if (!child) {
      count++;
      exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  for (int i = 0; i < atoi(argv[1]); i++)
    count.fetch_add(1);
  if (!strcmp(how, "killed"))
    kill(getpid(), SIGKILL);
}
