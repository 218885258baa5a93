// The C interface: a body that fails, and how many executions it took.
//
// RUN: %clang_heddle %s -o %t
// RUN: %t 2>&1 | %FileCheck %s
// CHECK: heddle::Explore: an execution has failed: the body says so.
// CHECK: HEDDLE_EXPLORE="seed=1{{[0-9]+}} strategy=pct depth=2 events=50 read_policy=stale weak_memory=buffer"
// CHECK: failed 1 of [[N:[0-9]+]], seed 1{{[0-9]+}}, [[N]]
// CHECK: failed {{[1-9][0-9]*}} of 200
#include <pthread.h>
#include <sanitizer/heddle_interface.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x, y;
static int runs;

static void *Store(void *argument) {
  (void)argument;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return NULL;
}

static int Body(void *argument) {
  pthread_t thread;
  atomic_store(&x, 0);
  atomic_store(&y, 0);
  ++*(int *)argument;
  pthread_create(&thread, NULL, Store, NULL);
  int b = atomic_load_explicit(&y, memory_order_relaxed);
  int a = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(thread, NULL);
  return b && !a;
}

int main(void) {
  struct __heddle_explore_options options = {0};
  struct __heddle_explore_result result;
  options.size = sizeof(options);
  options.seed = 1000;
  options.executions = 5000;
  options.strategy = "pct";
  options.depth = 2;
  options.events = 50;
  options.weak_memory = "buffer";
  options.read_policy = "stale";
  int failed = __heddle_explore(&options, Body, &runs, &result);
  // One that is not counted comes first.
  printf("failed %d of %d, seed %d, %d\n", failed, (int)result.executions, (int)result.seed, runs - 1);
  fflush(stdout);
  options.go_on = 1;
  options.strategy = "random";
  options.read_policy = "uniform";
  options.executions = 200;
  __heddle_explore(&options, Body, &runs, &result);
  printf("failed %d of %d\n", (int)result.failed, (int)result.executions);
}
