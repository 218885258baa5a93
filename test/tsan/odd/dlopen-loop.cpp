// Threads that load a library, call it and unload it, again and again. Its atomics, and what it has
// for each thread, are new each time.
//
// RUN: %clangxx_heddle -DLIBRARY -shared -fPIC %s -o %t.so
// RUN: %clangxx_heddle %s -o %t -ldl
// RUN: %six_modes %t %t.so | %FileCheck %s
// CHECK: 24 calls
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <thread>
#include <vector>

#ifdef LIBRARY
static std::atomic<int> calls;
static thread_local int own = 41;
extern "C" int Call() {
  calls.fetch_add(1, std::memory_order_relaxed);
  return ++own;
}
#else
static std::atomic<int> calls;

static void Load(const char *path) {
  for (int i = 0; i < 8; i++) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
      abort();
    auto call = reinterpret_cast<int (*)()>(dlsym(library, "Call"));
    if (call() < 42)
      abort();
    calls++;
    dlclose(library);
  }
}

int main(int, char **argv) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back(Load, argv[1]);
  for (auto &thread : threads)
    thread.join();
  printf("%d calls\n", calls.load());
}
#endif
