// What the benchmark programs share: CPU clocks, the timed loops, the result line and main().
//
// A program holds several benchmarks: "PROGRAM list" names them, "PROGRAM NAME [MS]" runs one for
// about MS milliseconds and prints its "ns/op". A benchmark that prints no such line is judged by
// the time and the memory of its whole process.
//
// All times are CPU times. happens-before stops and continues the process all the time (see there),
// and other programs share the machine: neither is part of what an operation costs.

#ifndef HEDDLE_BENCHMARKS_MEASURE_H
#define HEDDLE_BENCHMARKS_MEASURE_H

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <thread>
#include <time.h>
#include <vector>

struct Benchmark {
  const char *name;
  void (*run)();
};

// How long a benchmark runs, in nanoseconds of CPU time.
inline double budget = 60e6;

inline double CpuNs(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

// Keeps the compiler from merging the operations before with those behind; no code of its own.
[[gnu::always_inline]] inline void Barrier() { asm volatile("" ::: "memory"); }

// Hides from the compiler what is at `location` and who else knows it, so that no access to it goes
// away.
template <typename T> T &Shared(T &location) {
  T *pointer = &location;
  asm volatile("" : "+r"(pointer)::"memory");
  return *pointer;
}

inline void Report(double ns, double ops) { printf("ns/op %.4f\n", ns / ops); }

// Measures `chunk`, a function that does `ops` operations, with all the threads it starts.
template <typename Chunk> void Measure(int ops, Chunk chunk) {
  chunk(); // Warms up caches, shadow and clocks: what counts is the steady state.
  long chunks = 0;
  double start = CpuNs(CLOCK_PROCESS_CPUTIME_ID), elapsed;
  do {
    for (int i = 0; i < 8; i++)
      chunk();
    chunks += 8;
    elapsed = CpuNs(CLOCK_PROCESS_CPUTIME_ID) - start;
  } while (elapsed < budget);
  Report(elapsed, double(chunks) * ops);
}

// Tells the threads of MeasureThreads to return, also from the middle of a chunk.
inline std::atomic<bool> stop{false};
inline bool Stopped() { return stop.load(std::memory_order_relaxed); }

// Measures `chunk(i)`, which does `ops` operations, in `threads` threads at once. Only the first
// `reported` threads count: the others are there to disturb them.
template <typename Chunk> void MeasureThreads(int threads, int reported, int ops, Chunk chunk) {
  std::vector<double> elapsed(threads), done(threads);
  pthread_barrier_t ready;
  pthread_barrier_init(&ready, nullptr, threads);
  auto work = [&](int self) {
    chunk(self);
    pthread_barrier_wait(&ready);
    double start = CpuNs(CLOCK_THREAD_CPUTIME_ID), count = 0, ns;
    do {
      chunk(self);
      count += ops;
      ns = CpuNs(CLOCK_THREAD_CPUTIME_ID) - start;
      if (self == 0 && ns >= budget)
        stop.store(true, std::memory_order_relaxed);
    } while (!Stopped());
    elapsed[self] = ns;
    done[self] = count;
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; i++)
    workers.emplace_back(work, i);
  for (std::thread &worker : workers)
    worker.join();
  double total = 0, count = 0;
  for (int i = 0; i < reported; i++) {
    total += elapsed[i];
    count += done[i];
  }
  Report(total, count);
}

template <size_t N> int RunBenchmark(int argc, char **argv, const Benchmark (&all)[N]) {
  if (argc == 2 && !strcmp(argv[1], "list")) {
    for (const Benchmark &benchmark : all)
      puts(benchmark.name);
    return 0;
  }
  if (argc == 3)
    budget = atof(argv[2]) * 1e6;
  for (const Benchmark &benchmark : all) {
    if ((argc == 2 || argc == 3) && !strcmp(argv[1], benchmark.name)) {
      benchmark.run();
      return 0;
    }
  }
  fprintf(stderr, "usage: %s list | NAME [MILLISECONDS]\n", argv[0]);
  return 1;
}

#endif
