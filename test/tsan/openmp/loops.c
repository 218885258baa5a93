// Loops of every kind of schedule, sections and single. Who gets which iterations is the schedule's
// to say. As tasks.c.
//
// REQUIRES: openmp
// RUN: %clang_heddle -fopenmp %s -o %t
// RUN: env OMP_NUM_THREADS=4 %expect_clean %t
// RUN: env OMP_NUM_THREADS=2 %six_modes --seeds 3 %t | %FileCheck %s
// RUN: env OMP_NUM_THREADS=6 %six_modes --seeds 2 %t | %FileCheck %s
// RUN: env OMP_NUM_THREADS=3 OMP_SCHEDULE=guided,2 %every_schedule --seeds 2 %t
// RUN: env OMP_NUM_THREADS=4 %record_and_play --seeds 2 --times 3 %t
#include <omp.h>
#include <stdio.h>

enum { kMany = 24 };
static int values[kMany], who[kMany];

static void Count(const char *name) {
  int sum = 0;
  for (int i = 0; i < kMany; i++) {
    sum += values[i];
    values[i] = 0;
  }
  printf("%s %d\n", name, sum);
}

#define LOOP(name, kind)                                                                           \
  _Pragma(kind) for (int i = 0; i < kMany; i++) {                                                  \
    values[i] += i;                                                                                \
    who[i] = omp_get_thread_num();                                                                 \
  }                                                                                                \
  Count(name)

int main(void) {
  LOOP("static", "omp parallel for schedule(static)");                  // CHECK: static 276
  LOOP("chunks", "omp parallel for schedule(static, 2)");               // CHECK-NEXT: chunks 276
  LOOP("dynamic", "omp parallel for schedule(dynamic)");                // CHECK-NEXT: dynamic 276
  LOOP("monotonic", "omp parallel for schedule(monotonic:dynamic, 3)"); // CHECK-NEXT: monotonic 276
  LOOP("guided", "omp parallel for schedule(guided)");                  // CHECK-NEXT: guided 276
  LOOP("auto", "omp parallel for schedule(auto)");                      // CHECK-NEXT: auto 276
  LOOP("runtime", "omp parallel for schedule(runtime)");                // CHECK-NEXT: runtime 276
  int sum = 0, most = 0, last = 0, sections = 0, once = 0, ordered = 0, doacross[kMany + 1] = {0};
#pragma omp parallel for reduction(+ : sum) reduction(max : most) schedule(dynamic, 5)
  for (int i = 0; i < kMany; i++) {
    sum += i;
    if (i > most)
      most = i;
  }
  printf("sum %d, most %d\n", sum, most); // CHECK-NEXT: sum 276, most 23
#pragma omp parallel for lastprivate(last) schedule(guided)
  for (int i = 0; i < kMany; i++)
    last = i;
  printf("last %d\n", last); // CHECK-NEXT: last 23
#pragma omp parallel
  {
    int mine;
#pragma omp sections reduction(+ : sections)
    {
#pragma omp section
      sections += 1;
#pragma omp section
      sections += 2;
#pragma omp section
      sections += 4;
    }
#pragma omp single copyprivate(mine)
    mine = 3;
#pragma omp masked
    once += mine;
#pragma omp barrier
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < kMany; i++) {
#pragma omp ordered
      ordered = ordered * 3 % 1000 + i;
    }
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < kMany; i++) {
#pragma omp ordered depend(sink : i - 1)
      doacross[i + 1] = doacross[i] + 1;
#pragma omp ordered depend(source)
    }
#pragma omp for nowait schedule(dynamic)
    for (int i = 0; i < kMany; i++)
      values[i] = 1;
#pragma omp barrier
#pragma omp for collapse(2) schedule(static, 1)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 6; j++)
        values[i * 6 + j]++;
  }
  printf("sections %d, once %d, ordered %d, doacross %d\n", sections, once, ordered,
         doacross[kMany]);
  // CHECK-NEXT: sections 7, once 3, ordered 108, doacross 24
  Count("nowait"); // CHECK-NEXT: nowait 48
  return 0;
}
