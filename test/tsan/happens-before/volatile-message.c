// volatile_order= in C, the language that most volatile flags are written in.
//
// RUN: %clang_heddle %s -o %t
// RUN: %expect_race -o %t.log %t && %FileCheck %s --check-prefix=PLAIN < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=relaxed %expect_race -o %t.log %t
// RUN: %FileCheck %s --check-prefix=RELAXED < %t.log
// RUN: env TSAN_OPTIONS=volatile_order=acq_rel %expect_clean %t
#include "heddle_test.h"

struct Message {
  _Alignas(8) int data;
  _Alignas(8) volatile char ready;
} message;

static void Publish(void) {
  message.data = 1;
  message.ready = 1;
}

static void Consume(void) {
  EXPECT(message.ready);
  EXPECT(message.data == 1);
}

int main(void) {
  const Step steps[] = {{T1, Publish}, {T2, Consume}};
  RunSteps(steps, 2);
  return 0;
}

// PLAIN: Read of size 1 {{.*}} by thread T2
// PLAIN-NEXT: #0 Consume
// PLAIN: Previous write of size 1 {{.*}} by thread T1
// PLAIN-NEXT: #0 Publish
// PLAIN: Read of size 4 {{.*}} by thread T2
// PLAIN: reported 2 warnings

// RELAXED-NOT: of size 1
// RELAXED: Read of size 4 {{.*}} by thread T2
// RELAXED-NEXT: #0 Consume
// RELAXED: Previous write of size 4 {{.*}} by thread T1
// RELAXED-NEXT: #0 Publish
// RELAXED: reported 1 warnings
