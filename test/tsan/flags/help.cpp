// help=1 lists our flags along with upstream's, each with a description and its value.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=help=1 %t > %t.log 2>&1
// RUN: %FileCheck %s < %t.log
// RUN: env TSAN_OPTIONS=help=1:release_sequence=cxx11:volatile_order=relaxed %t > %t.log 2>&1
// RUN: %FileCheck %s --check-prefix=CHANGED < %t.log
int main() {}

// CHECK: Available flags for ThreadSanitizer
// CHECK-DAG: exact_happens_before{{[[:space:]]+}}- {{[A-Z].*[a-z].*}}Current Value: {{1|true}}
// CHECK-DAG: release_sequence{{[[:space:]]+}}- {{[A-Z].*[a-z].*}}Current Value: cxx20
// CHECK-DAG: volatile_order{{[[:space:]]+}}- {{[A-Z].*[a-z].*}}Current Value: plain

// CHANGED-DAG: release_sequence{{[[:space:]]+}}- {{.+}}Current Value: cxx11
// CHANGED-DAG: volatile_order{{[[:space:]]+}}- {{.+}}Current Value: relaxed
