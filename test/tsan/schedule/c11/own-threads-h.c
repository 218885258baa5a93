// A program that brings its own <threads.h> along, as many do, keeps it.
//
// RUN: %clang_heddle -std=c11 %s -o %t && %expect_clean %t
#include "heddle_test.h"

int thrd_create(void *thread, int (*function)(void *), void *argument);
int thrd_create(void *thread, int (*function)(void *), void *argument) {
  (void)thread;
  return function(argument);
}
static int Function(void *argument) { return *(int *)argument; }
long syscall(long number, ...);
long syscall(long number, ...) { return -number; }

int main(void) {
  int five = 5;
  EXPECT(thrd_create(NULL, Function, &five) == 5);
  EXPECT(syscall(3) == -3);
}
