// A value that exact_happens_before does not have is an error, before anything of the program runs:
// a flag misspelt in a script must not be ignored.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: not env TSAN_OPTIONS=exact_happens_before=maybe %t > %t.log 2>&1
// RUN: %FileCheck %s --implicit-check-not="main runs" < %t.log
// RUN: not env TSAN_OPTIONS=verbosity=0:exact_happens_before=maybe:halt_on_error=1 %t > %t.log 2>&1
// RUN: %FileCheck %s --implicit-check-not="main runs" < %t.log
#include <stdio.h>

int main() { puts("main runs"); }

// CHECK: ERROR: ThreadSanitizer: {{.*}}exact_happens_before{{.*}}'maybe'
// CHECK-SAME: 1, 0
