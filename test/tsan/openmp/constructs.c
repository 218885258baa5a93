// What OpenMP orders is ordered, though its runtime is not instrumented: no false reports, without
// a schedule and with any. A seed decides the schedule, and recordings replay, whatever the
// environment says about how the runtime's threads wait.
//
// REQUIRES: openmp
// RUN: %clang_heddle -fopenmp %s -o %t
// RUN: %expect_clean %t
// RUN: %t | %FileCheck %s
// RUN: %every_schedule --seeds 2 %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 --options weak_memory=mograph %t | %FileCheck %s
// RUN: env OMP_WAIT_POLICY=active KMP_LIBRARY=turnaround KMP_BLOCKTIME=infinite %record_and_play %t
//
// A process of the same number that was killed has left the runtime's file:
// RUN: rm -rf %t.demo
// RUN: bash -c 'file=/dev/shm/__KMP_REGISTERED_LIB_$$_$(id -u); printf "%%1024s" 0 > $file; \
// RUN:   printf "0x10-cafe0001-libomp.so\0" | dd of=$file conv=notrunc status=none; \
// RUN:   TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" exec %t' > %t.out
// RUN: env TSAN_OPTIONS=play_demo=%t.demo %t | diff %t.out -
#include <omp.h>
#include <stdio.h>

enum { kMany = 40 };

static void Loops(void) {
  static int values[kMany];
  long sum = 0;
  double largest = 0;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < kMany; i++)
    values[i] = i;
#pragma omp parallel for reduction(+ : sum) reduction(max : largest) num_threads(4)                \
    schedule(dynamic, 7)
  for (int i = 0; i < kMany; i++) {
    sum += values[i];
    if (values[i] > largest)
      largest = values[i];
  }
  printf("sum %ld, largest %g\n", sum, largest); // CHECK: sum 780, largest 39
  int ordered = 0, place = 0;
#pragma omp parallel for ordered num_threads(3) schedule(dynamic)
  for (int i = 0; i < 6; i++) {
    values[i] *= 2;
#pragma omp ordered
    ordered += place++ == i && values[i] == 2 * i;
  }
  printf("%d in order\n", ordered); // CHECK: 6 in order
}

static void Regions(void) {
  int counter = 0, copied = 0;
#pragma omp parallel num_threads(3) reduction(+ : copied)
  {
    int mine;
#pragma omp critical
    counter++;
#pragma omp barrier
#pragma omp single copyprivate(mine)
    mine = counter;
    copied += mine;
#pragma omp masked
    counter += 10;
#pragma omp barrier
#pragma omp critical(other)
    counter++;
#pragma omp sections
    {
#pragma omp section
      copied++;
#pragma omp section
      copied++;
    }
  }
  printf("counter %d, copied %d\n", counter, copied); // CHECK: counter 16, copied 11
  int inner = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int here = 0;
#pragma omp parallel num_threads(2) shared(here)
    {
#pragma omp critical
      here++;
    }
#pragma omp atomic
    inner += here;
  }
  printf("inner %d\n", inner); // CHECK: inner 4
}

static void Locks(void) {
  omp_lock_t lock;
  omp_nest_lock_t nestable;
  int x = 0, y = 0, tested = 0;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nestable);
#pragma omp parallel num_threads(3)
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
    if (omp_test_lock(&lock)) {
      tested++;
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nestable);
  printf("x %d, y %d, tested %s\n", x, y, tested ? "yes" : "no"); // CHECK: x 3, y 6, tested yes
}

static int Fibonacci(int n) {
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = Fibonacci(n - 1);
#pragma omp task shared(b)
  b = Fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static void Tasks(void) {
  int f = 0, d = 0, seen = 0, grouped[2] = {0, 0};
#pragma omp parallel num_threads(3)
#pragma omp single
  f = Fibonacci(5);
  printf("fibonacci %d\n", f); // CHECK: fibonacci 5
#pragma omp parallel num_threads(3)
#pragma omp single
  {
#pragma omp task depend(out : d)
    d = 1;
#pragma omp task depend(inout : d)
    d *= 5;
#pragma omp task depend(in : d)
    seen = d;
#pragma omp taskgroup
    {
#pragma omp task
      grouped[0] = 7;
    }
    grouped[0]++;
#pragma omp taskloop num_tasks(2)
    for (int i = 0; i < 2; i++)
      grouped[i]++;
  }
  printf("d %d, seen %d, grouped %d %d\n", d, seen, grouped[0], grouped[1]);
  // CHECK: d 5, seen 5, grouped 9 1
}

int main(void) {
  Loops();
  Regions();
  Locks();
  Tasks();
  return 0;
}
