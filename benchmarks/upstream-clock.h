// Put in front of upstream's benchmarks with -include: prints the CPU time between the start of
// main() and the end of the program. Upstream's own "ns/iter" is wall time, in whole nanoseconds;
// and the time of the process includes the start of the runtime, most of it page faults.

#include <stdio.h>
#include <time.h>

namespace heddle_benchmark {

inline double CpuMs() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static struct Clock {
  double start = CpuMs();
  ~Clock() { printf("ms %.4f\n", CpuMs() - start); }
} clock;

} // namespace heddle_benchmark
