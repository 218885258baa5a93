// Regions within regions, with tasks, and of different sizes; locks, critical and atomic; a region
// that is cancelled. As tasks.c.
//
// REQUIRES: openmp
// RUN: %clang_heddle -fopenmp %s -o %t
// RUN: env OMP_CANCELLATION=true OMP_NUM_THREADS=3 %expect_clean %t
// RUN: env OMP_CANCELLATION=true OMP_NUM_THREADS=2 %six_modes --seeds 3 %t | %FileCheck %s
// RUN: env OMP_CANCELLATION=true OMP_NUM_THREADS=4 %six_modes --seeds 2 %t | %FileCheck %s
// RUN: env OMP_CANCELLATION=true OMP_NUM_THREADS=3 %every_schedule --seeds 2 %t
// RUN: env OMP_CANCELLATION=true OMP_NUM_THREADS=3 %record_and_play --seeds 2 --times 3 %t
#include <omp.h>
#include <stdio.h>

static void Nested(void) {
  int inner = 0, tasks = 0;
  omp_set_max_active_levels(3);
  for (int round = 0; round < 3; round++)
#pragma omp parallel num_threads(2)
  {
    int here = 0;
#pragma omp parallel num_threads(2 + round) shared(here)
    {
#pragma omp critical
      here++;
#pragma omp single
      for (int i = 0; i < 3; i++)
#pragma omp task shared(tasks)
#pragma omp atomic
        tasks++;
    }
#pragma omp atomic
    inner += here;
  }
  printf("inner %d, tasks %d\n", inner, tasks); // CHECK: inner 18, tasks 18
}

static void Locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nestable;
  int x = 0, y = 0, z = 0, named = 0, tested = 0;
  const int threads = omp_get_max_threads();
  omp_init_lock(&lock);
  omp_init_nest_lock(&nestable);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    {
      omp_set_lock(&lock);
      x++;
      omp_unset_lock(&lock);
      omp_set_nest_lock(&nestable);
      omp_set_nest_lock(&nestable);
      y++;
      omp_unset_nest_lock(&nestable);
      y++;
      omp_unset_nest_lock(&nestable);
      while (!omp_test_lock(&lock))
        ;
      tested++;
      omp_unset_lock(&lock);
      while (!omp_test_nest_lock(&nestable))
        ;
      z += omp_test_nest_lock(&nestable) == 2;
      omp_unset_nest_lock(&nestable);
      omp_unset_nest_lock(&nestable);
#pragma omp critical(name)
      named++;
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nestable);
  printf("locks %s\n", x == 3 * threads && y == 6 * threads && z == 3 * threads &&
                               named == 3 * threads && tested == 3 * threads
                           ? "hold"
                           : "fail"); // CHECK: locks hold
}

static void Sizes(void) {
  int sum = 0;
  for (int size = 1; size <= 6; size++)
#pragma omp parallel num_threads(1 + size * 5 % 6) reduction(+ : sum)
    sum++;
  printf("sum %d\n", sum); // CHECK: sum 21
}

static void Cancelled(void) {
  int found = 0, group = 0, after = 0;
#pragma omp parallel
#pragma omp for
  for (int i = 0; i < 40; i++) {
    if (i == 5) {
#pragma omp atomic write
      found = 1;
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  for (int i = 0; i < 10; i++)
#pragma omp task shared(group)
  {
    if (i == 3) {
#pragma omp atomic write
      group = 1;
#pragma omp cancel taskgroup
    }
#pragma omp cancellation point taskgroup
  }
#pragma omp parallel
  {
#pragma omp cancel parallel
#pragma omp atomic
    after++;
  }
  printf("found %d, group %d, after %d\n", found, group, after);
  // CHECK: found 1, group 1, after 0
}

int main(void) {
  Nested();
  Locks();
  Sizes();
  Cancelled();
  return 0;
}
