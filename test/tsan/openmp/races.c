// Races among OpenMP's threads and tasks are reported, each for what is missing in it. The other
// tests here have their correct siblings.
//
// REQUIRES: openmp
// RUN: %clang_heddle -fopenmp %s -o %t
// RUN: %expect_race %t critical 2>&1 | %FileCheck %s
// RUN: %expect_race %t nowait 2>&1 | %FileCheck %s
// RUN: for kind in critical nowait dynamic guided reduction locks barrier single nested; do \
// RUN:   TSAN_OPTIONS="schedule=random seed=1" %expect_race -o %t.log %t $kind || exit 1; \
// RUN:   %FileCheck %s < %t.log || exit 1; \
// RUN: done
//
// Of tasks, those that different threads execute: one of a few seeds has it.
// RUN: for kind in taskwait depend taskgroup taskloop; do \
// RUN:   for seed in 1 2 3 4 5 6 7 8 none; do \
// RUN:     test $seed != none || exit 1; \
// RUN:     TSAN_OPTIONS="schedule=random seed=$seed" %expect_race -o %t.log %t $kind && break; \
// RUN:   done; \
// RUN:   %FileCheck %s < %t.log || exit 1; \
// RUN: done
// CHECK: WARNING: ThreadSanitizer: data race
// CHECK: races.c
#include <omp.h>
#include <stdio.h>
#include <string.h>

int x, y;

static void Critical(void) {
#pragma omp parallel num_threads(2)
  x++;
}

static void Nowait(void) {
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

static void Dynamic(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 8; i++)
    x += i;
}

static void Guided(void) {
#pragma omp parallel for num_threads(3) schedule(guided)
  for (int i = 0; i < 20; i++)
    x += i;
}

static void Reduction(void) {
#pragma omp parallel for num_threads(2) reduction(+ : x) schedule(static)
  for (int i = 0; i < 8; i++) {
    x += i;
    y += i;
  }
}

static void Locks(void) {
  omp_lock_t locks[2];
  omp_init_lock(&locks[0]);
  omp_init_lock(&locks[1]);
#pragma omp parallel num_threads(2)
  {
    omp_lock_t *mine = &locks[omp_get_thread_num()];
    omp_set_lock(mine);
    x++;
    omp_unset_lock(mine);
  }
}

static void Barrier(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num())
      x = 1;
#pragma omp barrier
    if (omp_get_thread_num())
      x = 2;
    else
      y = x;
  }
}

static void Single(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
    x = 1;
    y += x;
  }
}

static void Nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    {
      int critical = 0;
#pragma omp atomic
      critical++;
      x = critical;
    }
  }
}

static void Taskwait(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task
    x = 1;
    y = x;
#pragma omp taskwait
  }
}

static void Depend(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(out : x)
    x = 1;
#pragma omp task depend(in : y)
    y = x;
  }
}

static void Taskgroup(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task
    x = 1;
#pragma omp taskgroup
    {
#pragma omp task
      y = 1;
    }
    y += x;
  }
}

static void Taskloop(void) {
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop num_tasks(4)
  for (int i = 0; i < 8; i++)
    x += i;
}

static const struct {
  const char *name;
  void (*run)(void);
} kinds[] = {{"critical", Critical}, {"nowait", Nowait}, {"dynamic", Dynamic},
             {"guided", Guided},     {"locks", Locks},   {"reduction", Reduction},
             {"barrier", Barrier},   {"single", Single}, {"nested", Nested},
             {"taskwait", Taskwait}, {"depend", Depend}, {"taskgroup", Taskgroup},
             {"taskloop", Taskloop}};

int main(int count, char **arguments) {
  for (unsigned i = 0; count > 1 && i < sizeof(kinds) / sizeof(*kinds); i++)
    if (!strcmp(arguments[1], kinds[i].name))
      kinds[i].run();
  printf("%d %d\n", x, y);
  return 0;
}
