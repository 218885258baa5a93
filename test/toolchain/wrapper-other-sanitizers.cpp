// The other sanitizers come from the system's runtimes, through the links in
// our resource directory.

// RUN: %heddle-clang++ -fsanitize=address -g %s -o %t.asan
// RUN: not %t.asan address 2>&1 | %FileCheck --check-prefix=ADDRESS %s
// ADDRESS: AddressSanitizer: heap-use-after-free
// ADDRESS: main {{.*}}wrapper-other-sanitizers.cpp
// RUN: %heddle-clang++ -fsanitize=address -### %s 2>&1 | grep -F '%resource_dir/lib/linux/libclang_rt.asan'

// RUN: %heddle-clang++ -fsanitize=undefined -g %s -o %t.ubsan
// RUN: %t.ubsan undefined 2>&1 | %FileCheck --check-prefix=UNDEFINED %s
// UNDEFINED: runtime error: signed integer overflow

// RUN: %heddle-clang++ -fsanitize=leak %s -o %t.lsan && %t.lsan
// RUN: %heddle-clang++ -fsanitize=fuzzer-no-link,address %s -o %t.fuzzer && %t.fuzzer
// RUN: %heddle-clang++ -fprofile-instr-generate %s -o %t.profile && env LLVM_PROFILE_FILE=%t.profraw %t.profile && test -s %t.profraw

// ThreadSanitizer together with UndefinedBehaviorSanitizer, whose handlers are
// in our runtime then.
// RUN: %heddle-clang++ -Werror -fsanitize=thread,undefined -g %s -o %t.both
// RUN: %t.both undefined 2>&1 | %FileCheck --check-prefix=UNDEFINED %s
// RUN: %expect_race %t.both race 2>&1 | %FileCheck --check-prefix=RACE %s
// RACE: ThreadSanitizer: data race
// RUN: %t.both vptr 2>&1 | %FileCheck --check-prefix=VPTR %s
// VPTR: runtime error: {{.*}}does not point to an object of type 'Derived'

// Two that cannot be had together: clang says so.
// RUN: not %heddle-clang++ -fsanitize=thread,address %s -o %t.no 2>&1 | grep "not allowed with"
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstring>
#include <thread>

struct Base {
  virtual ~Base() = default;
  int value = 1;
};
struct Derived : Base {
  int Get() { return value; }
};

alignas(8) static int shared_value;
alignas(8) static std::atomic<bool> done{false}; // apart: see gcc-fences.cpp

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!std::strcmp(what, "address")) {
    int *p = new int(1);
    delete p;
    return *static_cast<volatile int *>(p);
  }
  if (!std::strcmp(what, "undefined")) {
    volatile int big = INT_MAX;
    big = big + 1;
  }
  if (!std::strcmp(what, "vptr")) {
    Base base;
    volatile int value = static_cast<Derived &>(base).Get();
    (void)value;
  }
  if (!std::strcmp(what, "race")) {
    std::thread thread([] {
      shared_value = 1;
      done.store(true, std::memory_order_relaxed);
    });
    while (!done.load(std::memory_order_relaxed)) {
    }
    shared_value = 2;
    thread.join();
  }
  return 0;
}
