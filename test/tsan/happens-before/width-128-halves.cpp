// A 16-byte atomic covers all its bytes: a plain access to the upper half races with it just as one
// to the lower half does. What lies behind it does not.
//
// RUN: %clangxx_heddle %cx16 %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s < %t.log
#include "heddle_test.h"
#include <stdint.h>

// A race is reported once for the same bytes: each case has its own.
template <int> struct alignas(16) Case {
  union {
    unsigned __int128 value;
    uint64_t half[2];
  };
  uint64_t behind;

  static Case object;
  static void Store() { __atomic_store_n(&object.value, 1, __ATOMIC_RELAXED); }
  static void Load() { EXPECT(__atomic_load_n(&object.value, __ATOMIC_RELAXED) == 0); }
  static void Modify() { EXPECT(__atomic_fetch_add(&object.value, 1, __ATOMIC_SEQ_CST) == 0); }
  static void FailToModify() {
    unsigned __int128 expected = 5;
    EXPECT(!__atomic_compare_exchange_n(&object.value, &expected, 6, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
  }
  static void ReadLower() { EXPECT(object.half[0] <= 1); }
  static void ReadUpper() { EXPECT(object.half[1] == 0); }
  static void WriteUpper() { object.half[1] = 0; }
  static void ReadBehind() { EXPECT(object.behind == 0); }
};
template <int kNumber> Case<kNumber> Case<kNumber>::object;

int main() {
  // CHECK: store, read of the lower half: race
  Verdict("store, read of the lower half",
          Interleave({{T1, Case<1>::Store}, {T2, Case<1>::ReadLower}}));
  // CHECK: WARNING: ThreadSanitizer: data race
  // CHECK-NEXT: Read of size 8
  // CHECK-NEXT: #0 Case<2>::ReadUpper()
  // CHECK: Previous atomic write of size {{8|16}}
  // CHECK-NEXT: #0 Case<2>::Store()
  // CHECK: store, read of the upper half: race
  Verdict("store, read of the upper half",
          Interleave({{T1, Case<2>::Store}, {T2, Case<2>::ReadUpper}}));
  // CHECK: read of the upper half, modification: race
  Verdict("read of the upper half, modification",
          Interleave({{T1, Case<3>::ReadUpper}, {T2, Case<3>::Modify}}));
  // CHECK: load, write to the upper half: race
  Verdict("load, write to the upper half",
          Interleave({{T1, Case<4>::Load}, {T2, Case<4>::WriteUpper}}));
  // CHECK: load, read of the upper half: no race
  Verdict("load, read of the upper half",
          Interleave({{T1, Case<5>::Load}, {T2, Case<5>::ReadUpper}}));
  // CHECK: failed modification, read of the upper half: no race
  Verdict("failed modification, read of the upper half",
          Interleave({{T1, Case<6>::FailToModify}, {T2, Case<6>::ReadUpper}}));
  // CHECK: store, read behind: no race
  Verdict("store, read behind", Interleave({{T1, Case<7>::Store}, {T2, Case<7>::ReadBehind}}));
  // CHECK: reported 4 warnings
}
