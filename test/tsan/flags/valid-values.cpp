// All values of all flags of ours are accepted, together and in any order, from the environment and
// from the program itself; what comes later wins.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx20:exact_happens_before=1:volatile_order=plain %t \
// RUN:   > %t.log 2>&1 && %FileCheck %s --implicit-check-not=ThreadSanitizer < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=relaxed:release_sequence=cxx11:exact_happens_before=0 %t \
// RUN:   > %t.log 2>&1 && %FileCheck %s --implicit-check-not=ThreadSanitizer < %t.log
// RUN: env TSAN_OPTIONS="volatile_order=acq_rel exact_happens_before=true" %t \
// RUN:   > %t.log 2>&1 && %FileCheck %s --implicit-check-not=ThreadSanitizer < %t.log
// RUN: %clangxx_heddle -DDEFAULT="release_sequence=cxx11" %s -o %t
// RUN: %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx20 %expect_race %t
// RUN: %clangxx_heddle -DDEFAULT="release_sequence=cxx17" %s -o %t
// RUN: not %t > %t.log 2>&1
// RUN: %FileCheck %s --check-prefix=INVALID --implicit-check-not="main ends" < %t.log
#include "heddle_test.h"

#ifdef DEFAULT
#define TEXT(x) #x
#define VALUE(x) TEXT(x)
extern "C" const char *__tsan_default_options() { return VALUE(DEFAULT); }
#endif

alignas(8) int data;
alignas(8) atomic<int> x;

// The case that release_sequence decides.
[[maybe_unused]] static void Publish() {
  data = 1;
  x.store(1, release);
  x.store(2, relaxed);
}
[[maybe_unused]] static void Consume() {
  EXPECT(x.load(acquire) == 2);
  EXPECT(data == 1);
}

int main() {
#ifdef DEFAULT
  Interleave({{T1, Publish}, {T2, Consume}});
#endif
  puts("main ends");
}

// CHECK: main ends
// INVALID: ERROR: ThreadSanitizer: {{.*}}release_sequence{{.*}}'cxx17'
