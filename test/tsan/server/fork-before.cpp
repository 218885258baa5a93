// A program that forks before it starts a thread: the server is its first process alone.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %fork_server "schedule=random" %t -- seed=1 seed=2 | %FileCheck %s
// CHECK: child
// CHECK-NEXT: ready
// CHECK-NEXT: parent
// CHECK-NEXT: ended 0
// CHECK-NEXT: parent
// CHECK-NEXT: ended 0
// CHECK-NEXT: server 0
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main() {
  const bool child = fork() == 0;
  if (!child)
    wait(nullptr);
  pthread_t thread;
  pthread_create(&thread, nullptr, [](void *) -> void * { return nullptr; }, nullptr);
  pthread_join(thread, nullptr);
  puts(child ? "child" : "parent");
}
