// A limit that a program sets on its files is for its files. What the runtime writes meanwhile, a demo, a trace or an
// execution, is whole, and the program gets no SIGXFSZ for it: that would be a crash that only a hunt sees.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %six_modes %t
// RUN: env TSAN_OPTIONS="schedule=random seed=1 schedule_trace=%t.trace execution_file=%t.execution" %t
// RUN: grep -q unlock %t.trace
// RUN: grep -q unlock %t.execution
//
// A limit that cannot be lifted ends the recording with a message, and not the program.
// RUN: rm -rf %t.demo && env TSAN_OPTIONS="schedule=random seed=1 record_demo=%t.demo" %t hard 2>&1 | cat > %t.said
// RUN: %FileCheck %s < %t.said
// CHECK: the recording ends at tick {{[0-9]+}}: cannot write {{.*}}: the file would be too large (errno 27).
#include <cstdio>
#include <mutex>
#include <sys/resource.h>
#include <thread>

int main(int argc, char **) {
  rlimit limit;
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = 0;
  if (argc > 1)
    limit.rlim_max = 0;
  setrlimit(RLIMIT_FSIZE, &limit);
  std::mutex mutex;
  int count = 0;
  auto work = [&] {
    for (int i = 0; i < 1000; i++) {
      std::lock_guard<std::mutex> lock(mutex);
      count++;
    }
  };
  std::thread one(work), two(work);
  one.join();
  two.join();
  getrlimit(RLIMIT_FSIZE, &limit); // it is as the program has set it
  return count == 2000 && limit.rlim_cur == 0 ? 0 : 1;
}
