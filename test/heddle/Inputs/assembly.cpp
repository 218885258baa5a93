// Fences and atomic operations that no compiler makes in instrumented code.
#include <stdio.h>

static int counter;

extern "C" __attribute__((noinline)) void FenceInAssembly() { __asm__ volatile("mfence" ::: "memory"); }

extern "C" __attribute__((noinline)) void AddInAssembly(int *to) {
  __asm__ volatile("lock; addl $1, %0" : "+m"(*to) : : "memory");
}

extern "C" __attribute__((noinline)) int ExchangeInAssembly(int *at, int value) {
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*at) : : "memory");
  return value;
}

int main() {
  FenceInAssembly();
  AddInAssembly(&counter);
  printf("%d\n", ExchangeInAssembly(&counter, 3));
  return 0;
}
