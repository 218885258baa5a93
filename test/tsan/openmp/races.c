// Races among OpenMP's threads are reported: a missing critical, and a nowait. constructs.c has their
// correct siblings.
//
// REQUIRES: openmp
// RUN: %clang_heddle -fopenmp %s -o %t
// RUN: %expect_race %t critical 2>&1 | %FileCheck %s
// RUN: %expect_race %t nowait 2>&1 | %FileCheck %s
// RUN: TSAN_OPTIONS="schedule=random seed=1" %expect_race %t critical 2>&1 | %FileCheck %s
// RUN: TSAN_OPTIONS="schedule=random seed=1" %expect_race %t nowait 2>&1 | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK: races.c
#include <stdio.h>
#include <string.h>

int x;

int main(int count, char **arguments) {
  if (count > 1 && !strcmp(arguments[1], "critical")) {
#pragma omp parallel num_threads(2)
    x++;
  } else {
#pragma omp parallel num_threads(2)
    {
#pragma omp for nowait schedule(static, 1)
      for (int i = 0; i < 2; i++)
        if (i == 1)
          x = 1;
#pragma omp masked
      x = 2;
    }
  }
  printf("%d\n", x);
  return 0;
}
