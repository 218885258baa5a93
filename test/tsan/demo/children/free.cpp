// children=free leaves children alone: they run freely in the replay, too. The demo of a child cannot be played
// without its parent's, and a link is no demo.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --options children=free %t
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo children=free" %t
// RUN: not ls %t.demo/child-0-1
//
// What is there of an earlier recording is not played.
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t && ls %t.demo/child-0-1/META
// RUN: env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo children=free" %t && not ls %t.demo/child-0-1/META
//
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t
// RUN: %expect_exit 67 env TSAN_OPTIONS=play_demo=%t.demo/child-0-1 %t 2>&1 | %FileCheck %s
// CHECK: ERROR: ThreadSanitizer: play_demo: {{.*}}.demo/child-0-1 is of the child of a fork, and goes on from where its parent was. Play the parent's, which is the directory above.
//
// RUN: rm -rf %t.other && mv %t.demo/child-0-1 %t.other && ln -s %t.other %t.demo/child-0-1
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %t
// RUN: rm %t.demo/child-0-1
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %t
//
// What is not as it was in a child ends the replay of its parent.
// RUN: cp -r %t.other %t.demo/child-0-1 && rm -rf %t.demo/child-0-1/SYSCALL && %expect_exit 67 env TSAN_OPTIONS=play_demo=%t.demo %t 2>&1 | %FileCheck %s --check-prefix=CHILD
// CHILD: cannot read {{.*}}/child-0-1/SYSCALL
// CHILD: says: child {{[0-9]+}} exits with 0, but it has exited with 67.
#include "heddle_test.h"
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  int child = fork();
  if (!child) {
    char byte;
    EXPECT(getrandom(&byte, 1, 0) == 1);
    _exit(0);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && !status);
}
