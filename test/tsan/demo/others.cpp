// A program that is executed by a recorded one has no part in the recording, also if it has the
// same runtime.
//
// RUN: %clangxx_heddle %s -o %t && %record_and_play %t %t | %FileCheck %s
// CHECK: recorded: 42
#include "heddle_test.h"
#include <stdlib.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 42;
  const int status = system(argv[1]);
  char text[32];
  EXPECT(write(1, text, snprintf(text, sizeof(text), "recorded: %d\n", WEXITSTATUS(status))) > 0);
}
