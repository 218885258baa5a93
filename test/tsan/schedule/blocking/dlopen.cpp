// Constructors of a library that is loaded run with no turn held: they create threads and wait for
// them, and two threads may load libraries at once.
//
// RUN: %clangxx_heddle -DLIBRARY -shared -fPIC %s -o %t.1.so
// RUN: %clangxx_heddle -DLIBRARY -shared -fPIC %s -o %t.2.so
// RUN: %clangxx_heddle %s -o %t && %every_schedule --kernel --seeds 1 %t %t.1.so %t.2.so
#ifdef LIBRARY
#include <atomic>
#include <thread>

static std::atomic<int> x;
__attribute__((constructor)) static void Construct() {
  std::thread thread([] { x++; });
  x++;
  thread.join();
}
extern "C" int Count() { return x; }

#else
#include "heddle_test.h"
#include <dlfcn.h>
#include <thread>

static void Load(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  EXPECT(library);
  EXPECT(((int (*)())dlsym(library, "Count"))() == 2);
  EXPECT(!dlclose(library));
}

int main(int, char **argv) {
  std::thread other(Load, argv[1]);
  Load(argv[2]);
  other.join();
}
#endif
