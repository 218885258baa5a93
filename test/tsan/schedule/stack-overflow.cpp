// A stack overflow is reported with its stack, in a created thread as in the main one: each has an
// alternate stack for it. With use_sigaltstack=0 none has, and the process dies unreported. In
// explorations and in executions of a fork server it is the same.
//
// RUN: %clangxx_heddle -O0 %s -o %t
//
// RUN: for options in verbosity=0 schedule=random schedule=random:weak_memory=mograph; do \
// RUN:   for thread in main created second explored; do \
// RUN:     TSAN_OPTIONS=$options %expect_exit 66 %t $thread 2>&1 | %FileCheck %s || exit 1; \
// RUN:   done; \
// RUN: done
// RUN: TSAN_OPTIONS=use_sigaltstack=0 %expect_exit 139 sh -c '%t created; exit $?' 2>&1 | %FileCheck %s --check-prefix=NONE --allow-empty
// RUN: %fork_server schedule=random %t created -- seed=1 seed=2 > %t.server
// RUN: grep -c 'SUMMARY: ThreadSanitizer: stack-overflow' %t.server | grep -x 2
//
// CHECK: ERROR: ThreadSanitizer: stack-overflow on address
// CHECK: #{{[0-9]+}} {{.*}}GoDeeper(int)
// CHECK: SUMMARY: ThreadSanitizer: stack-overflow {{.*}}GoDeeper
// NONE-NOT: ThreadSanitizer
#include <sanitizer/heddle_interface.h>
#include <string>
#include <thread>

__attribute__((noinline)) static int GoDeeper(int n) {
  volatile char room[1024];
  room[0] = char(n);
  return n < 0 ? 0 : GoDeeper(n + 1) + room[0];
}

int main(int, char **arguments) {
  const std::string where = arguments[1];
  auto overflow = [] { GoDeeper(0); };
  std::thread([] {}).join(); // whose stack the next one may get
  if (where == "main")
    overflow();
  if (where == "created")
    std::thread(overflow).join();
  if (where == "second")
    std::thread([&] { std::thread(overflow).join(); }).join();
  // Not in the first execution: by then threads are used again.
  int executions = 0;
  heddle::Options options;
  options.executions = 2;
  heddle::Explore(options, [&] {
    const bool last = ++executions == 2;
    std::thread([&] {
      if (last)
        overflow();
    }).join();
  });
}
