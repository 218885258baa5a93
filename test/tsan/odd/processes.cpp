// Processes in all the ways there are to make one: vfork and exec, posix_spawn with actions, a daemon that forks twice,
// a chain of programs that execute each other, children of children, and a child that outlives its parent's threads.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %six_modes %t
// RUN: %record_and_play --times 3 --seeds 2 %t
#include "heddle_test.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

extern char **environ;
static char *self;

static int Status(int child) {
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static int Count() {
  std::atomic<int> sum{0};
  std::thread one([&] { sum += 1; }), two([&] { sum += 2; });
  one.join();
  two.join();
  return sum;
}

static void VforkAndExec() {
  const int child = vfork();
  if (!child) {
    execl(self, self, "count", nullptr);
    _exit(99);
  }
  EXPECT(Status(child) == 3);
}

static void SpawnWithActions() {
  int ends[2];
  EXPECT(!pipe(ends));
  posix_spawn_file_actions_t actions;
  EXPECT(!posix_spawn_file_actions_init(&actions));
  EXPECT(!posix_spawn_file_actions_adddup2(&actions, ends[1], 1));
  EXPECT(!posix_spawn_file_actions_addclose(&actions, ends[0]));
  const char *words[] = {self, "say", nullptr};
  int child = 0;
  EXPECT(!posix_spawn(&child, self, &actions, nullptr, const_cast<char **>(words), environ));
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char text[16] = {};
  EXPECT(read(ends[0], text, sizeof(text) - 1) == 5 && !strcmp(text, "hello"));
  close(ends[0]);
  EXPECT(Status(child) == 0);
}

// In an environment that has been changed since the start.
static void Chain() {
  const int child = fork();
  if (!child) {
    EXPECT(!setenv("IN_CHAIN", "1", 1));
    execl(self, self, "chain", "5", nullptr);
    _exit(99);
  }
  EXPECT(Status(child) == 42);
}

// It says through a pipe that it is done: nobody waits for it.
static void Daemon() {
  int ends[2];
  EXPECT(!pipe(ends));
  const int child = fork();
  if (!child) {
    EXPECT(setsid() > 0);
    if (fork())
      _exit(0);
    close(ends[0]);
    EXPECT(Count() == 3);
    EXPECT(write(ends[1], "d", 1) == 1);
    _exit(0);
  }
  close(ends[1]);
  EXPECT(Status(child) == 0);
  char byte = 0;
  EXPECT(read(ends[0], &byte, 1) == 1 && byte == 'd');
  EXPECT(read(ends[0], &byte, 1) == 0); // it has ended
  close(ends[0]);
}

static int Tree(int depth) {
  int sum = 1;
  for (int i = 0; depth && i < 2; i++) {
    const int child = fork();
    if (!child)
      _exit(Tree(depth - 1));
    sum += Status(child);
  }
  return sum;
}

// Of several threads one forks, and only that one goes on in the child.
static void AmongThreads() {
  std::atomic<bool> over{false};
  std::thread other([&] {
    while (!over)
      std::this_thread::yield();
  });
  const int child = fork();
  if (!child)
    _exit(over ? 1 : 0);
  EXPECT(Status(child) == 0);
  over = true;
  other.join();
}

int main(int argc, char **argv) {
  self = argv[0];
  if (argc > 1 && !strcmp(argv[1], "count"))
    return Count();
  if (argc > 1 && !strcmp(argv[1], "say"))
    return write(1, "hello", 5) == 5 ? 0 : 1;
  if (argc > 2) {
    EXPECT(getenv("IN_CHAIN"));
    const int left = atoi(argv[2]);
    if (!left)
      return 42;
    char next[8];
    snprintf(next, sizeof(next), "%d", left - 1);
    execl(self, self, "chain", next, nullptr);
    return 99;
  }
  VforkAndExec();
  SpawnWithActions();
  Chain();
  Daemon();
  EXPECT(Tree(3) == 15);
  AmongThreads();
  printf("done\n");
}
