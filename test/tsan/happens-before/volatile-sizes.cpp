// volatile_order= for volatile objects of every size, aligned and not: once a flag by itself, once
// a flag that hands over data.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=volatile_order=plain %expect_race -o %t.log %t
// RUN: %FileCheck %s -DFLAG=race < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_race -o %t.log %t
// RUN: %FileCheck %s -DFLAG="no race" < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
#include "heddle_test.h"
#include <stdint.h>

template <typename T> struct Aligned { volatile T flag; };

template <typename T> struct __attribute__((packed)) Packed {
  char displacement;
  volatile T flag;
};

template <typename Object> struct Case {
  alignas(8) static inline int data;
  alignas(16) static inline Object alone;
  alignas(16) static inline Object object;
  static void Write() { alone.flag = 1; }
  static void Read() { EXPECT(alone.flag == 1); }
  static void Publish() {
    data = 1;
    object.flag = 1;
  }
  static void WaitForFlag() { EXPECT(object.flag == 1); }
  static void Consume() { EXPECT(data == 1); }
  static void Run(const char *name) {
    fprintf(stderr, "%s\n", name);
    Verdict("flag", Interleave({{T1, Write}, {T2, Read}}));
    Verdict("data", Interleave({{T1, Publish}, {T2, WaitForFlag}, {T2, Consume}}));
  }
};

int main() {
  Case<Aligned<uint8_t>>::Run("8 bits");
  Case<Aligned<uint16_t>>::Run("16 bits");
  Case<Aligned<uint32_t>>::Run("32 bits");
  Case<Aligned<uint64_t>>::Run("64 bits");
  Case<Aligned<unsigned __int128>>::Run("128 bits");
  Case<Packed<uint16_t>>::Run("16 bits, unaligned");
  Case<Packed<uint32_t>>::Run("32 bits, unaligned");
  Case<Packed<uint64_t>>::Run("64 bits, unaligned");
  Case<Packed<unsigned __int128>>::Run("128 bits, unaligned");
}

// CHECK: {{^}}8 bits{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
// CHECK: {{^}}16 bits{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
// CHECK: {{^}}32 bits{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
// CHECK: {{^}}64 bits{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
// CHECK: {{^}}128 bits{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
// CHECK: {{^}}16 bits, unaligned{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
// CHECK: {{^}}32 bits, unaligned{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
// CHECK: {{^}}64 bits, unaligned{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
// CHECK: {{^}}128 bits, unaligned{{$}}
// CHECK: {{^}}flag: [[FLAG]]
// CHECK: #0 {{.*}}Consume()
// CHECK: {{^}}data: race
