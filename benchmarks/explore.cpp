// What benchmarks/explore measures: two threads with ten atomic operations each.
//
//   explore.cpp once     one execution, for a process or a fork server
//   explore.cpp N        N executions of heddle::Explore; prints CPU and elapsed microseconds of
//   each
#include <atomic>
#include <chrono>
#include <sanitizer/heddle_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <thread>

static std::atomic<int> x, y;

static void Body() {
  auto work = [](std::atomic<int> &mine, std::atomic<int> &other) {
    for (int i = 1; i <= 5; i++) {
      mine.store(i, std::memory_order_release);
      other.load(std::memory_order_acquire);
    }
  };
  std::thread first([&] { work(x, y); }), second([&] { work(y, x); });
  first.join();
  second.join();
}

static double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

int main(int argc, char **argv) {
  if (argc < 2 || !strcmp(argv[1], "once")) {
    Body();
    return 0;
  }
  heddle::Options options;
  options.executions = strtoull(argv[1], nullptr, 10);
  options.seed = 1;
  const double cpu = CpuSeconds();
  const auto start = std::chrono::steady_clock::now();
  heddle::Explore(options, Body);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  printf("%.3f %.3f\n", (CpuSeconds() - cpu) / double(options.executions) * 1e6,
         elapsed.count() / double(options.executions) * 1e6);
}
