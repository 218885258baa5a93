// In a program that is not built with Heddle the body runs once.
//
// RUN: %system_clangxx -std=c++20 -pthread -I%source_dir/include %s -o %t
// RUN: %t | %FileCheck %s
// CHECK: 1 execution, chosen 0
#include <sanitizer/heddle_interface.h>
#include <stdio.h>

int main() {
  int runs = 0;
  unsigned chosen = 1;
  heddle::Result result = heddle::Explore([&] {
    runs++;
    chosen = heddle::Choose(3);
  });
  printf("%d execution, chosen %u\n", result ? runs : 0, chosen);
}
