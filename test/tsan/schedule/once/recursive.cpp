// An initialisation that needs itself.
// RUN: %clangxx_heddle %s -o %t && %every_schedule --deadlock %t | %FileCheck %s
// CHECK: WARNING: ThreadSanitizer: deadlock
// CHECK: Main thread waits for one-time initialisation {{.*}}, which it holds itself:
// CHECK-NEXT: #0 __cxa_guard_acquire
// CHECK-NEXT: #1 {{.*}}Use
struct Object {
  Object();
};

void Use() { static Object object; }

Object::Object() { Use(); }

int main() { Use(); }
