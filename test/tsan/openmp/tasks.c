// Tasks of every kind: a thread that waits for them executes some, and which it executes is the
// schedule's to say. No false reports, a seed decides the schedule, and recordings replay, with any
// number of threads.
//
// REQUIRES: openmp
// RUN: %clang_heddle -fopenmp %s -o %t
// RUN: env OMP_NUM_THREADS=2 %expect_clean %t
// RUN: env OMP_NUM_THREADS=2 %six_modes --seeds 3 %t | %FileCheck %s
// RUN: env OMP_NUM_THREADS=5 %six_modes --seeds 3 %t | %FileCheck %s
// RUN: env OMP_NUM_THREADS=8 %six_modes --seeds 1 %t | %FileCheck %s
// RUN: env OMP_NUM_THREADS=3 %every_schedule --seeds 2 %t
// RUN: env OMP_NUM_THREADS=4 %record_and_play --seeds 3 --times 4 %t
#include <omp.h>
#include <stdio.h>

static int Fibonacci(int n) {
  int a, b;
  if (n < 2)
    return n;
#pragma omp task shared(a)
  a = Fibonacci(n - 1);
#pragma omp task shared(b) if (n > 3)
  b = Fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

static void Waits(void) {
  int f = 0;
#pragma omp parallel
#pragma omp single
  f = Fibonacci(7);
  printf("fibonacci %d\n", f); // CHECK: fibonacci 13
  // Each thread waits for its own.
  int sum = 0;
#pragma omp parallel num_threads(3)
  {
    int mine[4] = {0};
    for (int i = 0; i < 4; i++)
#pragma omp task shared(mine)
      mine[i] = i;
#pragma omp taskwait
#pragma omp atomic
    sum += mine[0] + mine[1] + mine[2] + mine[3];
  }
  printf("sum %d\n", sum); // CHECK: sum 18
  // A barrier waits for what nobody else has.
  int done = 0;
#pragma omp parallel
  {
#pragma omp single nowait
    for (int i = 0; i < 10; i++)
#pragma omp task
    {
#pragma omp task
#pragma omp atomic
      done++;
    }
#pragma omp barrier
#pragma omp single
    printf("done %d\n", done); // CHECK: done 10
  }
}

static void Groups(void) {
  int here = 0, below = 0, before = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
    before = 1;
#pragma omp taskgroup
    {
#pragma omp task shared(here)
      {
        here = 1;
#pragma omp task shared(below)
        below = 1;
#pragma omp taskgroup
        {
#pragma omp task shared(here)
          here++;
        }
        here++;
      }
    }
    printf("here %d, below %d\n", here, below); // CHECK: here 3, below 1
  }
  printf("before %d\n", before); // CHECK: before 1
}

static void Dependences(void) {
  int a = 0, b = 0, seen[3] = {0}, sum = 0, set[2] = {0};
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : a)
    a = 1;
#pragma omp task depend(out : b)
    b = 2;
#pragma omp task depend(in : a) depend(in : b)
    seen[0] = a + b;
#pragma omp task depend(in : a)
    seen[1] = a;
#pragma omp task depend(inout : a)
    a += 10;
    // Waits for what it needs, and for nothing else.
#pragma omp task depend(in : a) if (0)
    seen[2] = a;
#pragma omp taskwait depend(in : b)
    seen[2] += b;
    for (int i = 0; i < 4; i++)
#pragma omp task depend(mutexinoutset : sum)
      sum += i;
#pragma omp task depend(inoutset : set)
    set[0] = 1;
#pragma omp task depend(inoutset : set)
    set[1] = 2;
#pragma omp task depend(in : sum) depend(in : set)
    printf("sum %d, set %d %d\n", sum, set[0], set[1]); // CHECK: sum 6, set 1 2
  }
  printf("seen %d %d %d\n", seen[0], seen[1], seen[2]); // CHECK: seen 3 1 13
}

static void Loops(void) {
  int values[20] = {0}, sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(3)
    for (int i = 0; i < 20; i++)
      values[i] = i;
#pragma omp taskloop num_tasks(4) reduction(+ : sum)
    for (int i = 0; i < 20; i++)
      sum += values[i];
#pragma omp taskloop nogroup
    for (int i = 0; i < 20; i++)
      values[i]++;
  }
  printf("sum %d, last %d\n", sum, values[19]); // CHECK: sum 190, last 20
}

static void OddOnes(void) {
  int yielded = 0, untied = 0, last = 0, detached = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(detached)
    detached = 1;
#pragma omp task untied shared(untied)
    {
#pragma omp task shared(untied)
#pragma omp atomic
      untied++;
#pragma omp taskyield
#pragma omp taskwait
#pragma omp atomic
      untied++;
    }
#pragma omp task firstprivate(event) shared(detached)
    omp_fulfill_event(event);
    for (int i = 0; i < 3; i++)
#pragma omp task shared(yielded)
    {
#pragma omp taskyield
#pragma omp atomic
      yielded++;
    }
#pragma omp task final(1) shared(last)
    {
#pragma omp task shared(last)
      last++;
#pragma omp taskwait
      last++;
    }
#pragma omp taskwait
    detached++;
  }
  printf("yielded %d, untied %d, last %d, detached %d\n", yielded, untied, last, detached);
  // CHECK: yielded 3, untied 2, last 2, detached 2
}

int main(void) {
  Waits();
  Groups();
  Dependences();
  Loops();
  OddOnes();
  return 0;
}
