// A value that release_sequence does not have is an error, before anything of the program runs: a
// flag misspelt in a script must not be ignored.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: not env TSAN_OPTIONS=release_sequence=cxx17 %t > %t.log 2>&1
// RUN: %FileCheck %s --implicit-check-not="main runs" < %t.log
// RUN: not env TSAN_OPTIONS=verbosity=0:release_sequence=cxx17:halt_on_error=1 %t > %t.log 2>&1
// RUN: %FileCheck %s --implicit-check-not="main runs" < %t.log
#include <stdio.h>

int main() { puts("main runs"); }

// CHECK: ERROR: ThreadSanitizer: {{.*}}release_sequence{{.*}}'cxx17'
// CHECK-SAME: cxx20, cxx11
