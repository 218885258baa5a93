// Programs that are started beside the recorded one are recorded, if they can be.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --times 5 %t | %FileCheck %s
//
// What cannot be is said once, whoever starts it.
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t foreign > %t.said 2>&1
// RUN: %FileCheck %s --check-prefix=FOREIGN < %t.said
// FOREIGN: note: /bin/true has not been built with this runtime, and is not recorded: a replay runs it again
// FOREIGN-NOT: note: /bin/true
//
// Neither the program that a shell starts nor its own children take the demo for theirs.
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t shell > %t.shell 2> %t.err
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %t shell > %t.played 2>> %t.err
// RUN: grep -c 'the other' %t.shell | %FileCheck %s --check-prefix=TWO
// RUN: grep -v 'the other' %t.shell > %t.one && grep -v 'the other' %t.played | diff %t.one -
// TWO: 2
#include "heddle_test.h"
#include <spawn.h>
#include <string.h>
#include <string>
#include <sys/random.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static unsigned Random() {
  unsigned value = 0;
  EXPECT(getrandom(&value, sizeof(value), 0) == sizeof(value));
  return value;
}

extern char **environ;

static int Run(const char *program, std::vector<const char *> words, bool by_path) {
  words.push_back(nullptr);
  int child = 0, status = 0;
  EXPECT(!(by_path ? posix_spawn : posix_spawnp)(&child, program, nullptr, nullptr,
                                                 const_cast<char **>(words.data()), environ));
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

int main(int argc, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  if (argc > 1 && !strcmp(argv[1], "foreign")) {
    for (int i = 0; i < 3; i++) {
      Run("/bin/true", {"true"}, true);
      const int child = fork();
      if (!child)
        execl("/bin/true", "true", nullptr);
      EXPECT(waitpid(child, nullptr, 0) == child);
    }
    return 0;
  }
  if (argc > 1 && !strcmp(argv[1], "shell")) {
    const std::string command = "echo shell; '" + std::string(argv[0]) + "' other; '" + argv[0] + "' other; exit 3";
    printf("%u\n", Random());
    printf("it exits with %d\n", Run("/bin/sh", {"sh", "-c", command.c_str()}, true));
    printf("%u\n", Random());
    return 0;
  }
  if (argc > 1) {
    std::thread thread([&] { printf("the %s: %u\n", argv[1], Random()); });
    thread.join();
    return argv[1][0] == 'c' ? int(Random() % 100) : 0;
  }
  for (bool by_path : {true, false})
    printf("it exits with %d\n", Run(argv[0], {argv[0], "child"}, by_path));
}
// CHECK: the child: [[FIRST:[0-9]+]]
// CHECK: it exits with
// CHECK-NOT: the child: [[FIRST]]
