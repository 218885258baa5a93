// A recorded process and its children meet in files, too, where no demo is. A replay keeps the order in which their calls
// told each other of them: what is in a file when a process reads it is what was there in the recording.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play --times 10 --seeds 2 %t %t.file | %FileCheck %s
#include "heddle_test.h"
#include <string>
#include <sys/wait.h>
#include <unistd.h>

static void Write(const char *path, int turn) {
  FILE *file = fopen(path, "w");
  fprintf(file, "written in turn %d", turn);
  fclose(file);
}

static std::string Read(const char *path) {
  char text[64] = {};
  FILE *file = fopen(path, "r");
  EXPECT(file && fgets(text, sizeof(text), file));
  fclose(file);
  return text;
}

int main(int, char **argv) {
  setvbuf(stdout, nullptr, _IONBF, 0);
  const char *path = argv[1];
  int there[2], back[2];
  EXPECT(!pipe(there) && !pipe(back));
  const int child = fork();
  const int reads = child ? back[0] : there[0], writes = child ? there[1] : back[1];
  // They take turns: one writes, and the other reads what it wrote, and writes next.
  for (int turn = 0; turn < 20; turn++) {
    if ((turn % 2 == 0) == !child) {
      Write(path, turn);
      EXPECT(write(writes, "x", 1) == 1);
    } else {
      char byte;
      EXPECT(read(reads, &byte, 1) == 1);
      printf("%s reads in turn %d: %s\n", child ? "parent" : "child", turn, Read(path).c_str());
    }
  }
  if (!child)
    return 0;
  EXPECT(waitpid(child, nullptr, 0) == child);
  unlink(path);
}
// CHECK: parent reads in turn 0: written in turn 0
// CHECK-NEXT: child reads in turn 1: written in turn 1
// CHECK: child reads in turn 19: written in turn 19
