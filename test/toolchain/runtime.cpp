// What the wrapper links is our runtime, not the system's.

// RUN: %heddle-clang++ -fsanitize=thread -g %s -o %t
// RUN: env TSAN_OPTIONS=help=1 %t 2>&1 | %FileCheck %s
// CHECK: release_sequence
// RUN: %nm %t | grep __tsan_volatile_read4
// RUN: %heddle-clang++ -fsanitize=thread -### %s 2>&1 | %FileCheck --check-prefix=LINK %s
// LINK: "-resource-dir" "[[DIR:[^"]*]]"
// LINK: "[[DIR]]/lib/linux/libclang_rt.tsan-
// LINK: "--dynamic-list=[[DIR]]/lib/linux/libclang_rt.tsan-
// LINK: "[[DIR]]/lib/linux/libclang_rt.tsan_cxx-

// Through the option alone, without the wrapper.
// RUN: %system_clangxx -fsanitize=thread -resource-dir=%resource_dir -mllvm -tsan-distinguish-volatile -g %s -o %t.option
// RUN: env TSAN_OPTIONS=help=1 %t.option 2>&1 | %FileCheck %s
// RUN: %nm %t.option | grep __tsan_volatile_read4

// As a shared library.
// RUN: %heddle-clang++ -fsanitize=thread -shared-libsan -g %s -o %t.shared -Wl,-rpath,%resource_dir/lib/linux
// RUN: env TSAN_OPTIONS=help=1 %t.shared 2>&1 | %FileCheck %s
// RUN: ldd %t.shared | grep -F '%resource_dir/lib/linux/libclang_rt.tsan-%arch.so'
// RUN: %nm -D %resource_dir/lib/linux/libclang_rt.tsan-%arch.so | grep ' T __tsan_volatile_read4'

// As stock, for contrast: what the checks above would say of another runtime.
// RUN: %system_clangxx -fsanitize=thread -g %s -o %t.stock
// RUN: not sh -c 'env TSAN_OPTIONS=help=1 %t.stock 2>&1 | grep release_sequence'

// The headers of the interface belong to the runtime.
#include <sanitizer/tsan_interface.h>
volatile int value;
int main() {
  __tsan_acquire(const_cast<int *>(&value));
  return value;
}
