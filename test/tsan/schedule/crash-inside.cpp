// A crash inside an atomic operation is reported, with the line of the program, wherever the
// operation is by then: the report takes no lock that the operation holds. So it is without a
// schedule, where stock ThreadSanitizer hangs, with one and with weak memory. A handler of the
// program's own may allocate, and a stack that ends inside the runtime is reported, too.
//
// RUN: %clangxx_heddle -O1 %s -o %t
//
// RUN: for options in exact_happens_before=1 exact_happens_before=0 schedule=random \
// RUN:     schedule=random:weak_memory=buffer schedule=random:weak_memory=mograph; do \
// RUN:   for operation in load store add wide; do \
// RUN:     TSAN_OPTIONS=$options %expect_exit 66 %t $operation null 2>&1 | %FileCheck %s || exit 1; \
// RUN:   done; \
// RUN:   for operation in store exchange; do \
// RUN:     TSAN_OPTIONS=$options %expect_exit 66 %t $operation constant 2>&1 | %FileCheck %s || exit 1; \
// RUN:   done; \
// RUN:   TSAN_OPTIONS=$options:report_signal_unsafe=0 %t store handled 2>&1 | %FileCheck %s --check-prefix=HANDLED || exit 1; \
// RUN:   (ulimit -s 256; TSAN_OPTIONS=$options %expect_exit 66 %t deep 2>&1) | %FileCheck %s --check-prefix=DEEP || exit 1; \
// RUN: done
//
// CHECK: ERROR: ThreadSanitizer: SEGV on unknown address
// CHECK: Perform
// CHECK: SUMMARY: ThreadSanitizer: SEGV
// HANDLED: the handler has 100 bytes
// DEEP: ERROR: ThreadSanitizer: {{stack-overflow|SEGV}} on
// DEEP: SUMMARY: ThreadSanitizer
#include "heddle_test.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <unistd.h>

static const int constant = 5;
static volatile int depth;

static void Handle(int) {
  void *memory = malloc(100);
  printf("the handler has %d bytes\n", memory ? 100 : 0);
  free(memory);
  fflush(stdout);
  _exit(0);
}

__attribute__((noinline)) static int GoDeeper(std::atomic<int> &count, int n) {
  volatile char room[64];
  room[0] = count.fetch_add(1);
  return n < 0 ? 0 : GoDeeper(count, n + 1) + room[0];
}

static void Perform(const std::string &operation, std::atomic<int> *object) {
  int expected = 5;
  if (operation == "load")
    object->load();
  else if (operation == "store")
    object->store(1);
  else if (operation == "add")
    object->fetch_add(1);
  else if (operation == "exchange")
    object->compare_exchange_strong(expected, 6);
  else if (operation == "wide")
    __atomic_exchange_n(reinterpret_cast<__int128 *>(object), __int128(1), __ATOMIC_SEQ_CST);
}

int main(int, char **arguments) {
  std::atomic<int> count{0};
  std::thread([&] { count++; }).join();
  const std::string operation = arguments[1];
  if (operation == "deep") {
    depth = GoDeeper(count, 0);
    return 0;
  }
  const std::string where = arguments[2];
  if (where == "handled")
    signal(SIGSEGV, Handle);
  auto *object = where == "constant"
                     ? reinterpret_cast<std::atomic<int> *>(const_cast<int *>(&constant))
                     : nullptr;
  std::thread([&] { Perform(operation, object); }).join();
  puts("no crash");
}
