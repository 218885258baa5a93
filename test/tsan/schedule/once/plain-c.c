// The runtime needs no C++ library for this.
// RUN: %clang_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: done
#include <pthread.h>
#include <stdio.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static void Initialise(void) { puts("done"); }

int main(void) { return pthread_once(&once, Initialise); }
