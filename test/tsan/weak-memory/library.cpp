// Atomics of a shared library are read stale like any others, and synchronise. One that is
// closed and opened again begins a new life, also at the same address.
//
// RUN: %clangxx_heddle -fPIC -shared %S/Inputs/library.cpp -o %t.so
// RUN: %clangxx_heddle %s %t.so -o %t && %every_engine %t | %FileCheck %s
// RUN: %clangxx_heddle -DLIBRARY='"%t.so"' %s -o %t.dl && %every_engine %t.dl | %FileCheck --check-prefixes=CHECK,AGAIN %s
#include "Inputs/library.h"
#include "heddle_test.h"
#include <dlfcn.h>
#include <semaphore.h>
#include <thread>

#ifdef LIBRARY
static void *library;
template <class Function> Function *Find(Function *, const char *name) {
  auto *found = reinterpret_cast<Function *>(dlsym(library, name));
  EXPECT(found);
  return found;
}
#define FIND(name) Find(decltype (&name)(nullptr), #name)
#else
#define FIND(name) name
#endif

// The reader comes after the writer in time, and only in time. A loop that waits for a flag
// would not do: where it turns long, its thread reads the newest stores from then on.
extern "C" void AnnotateIgnoreSyncBegin(const char *file, int line);
extern "C" void AnnotateIgnoreSyncEnd(const char *file, int line);
template <class Body> void WithoutSynchronising(Body body) {
  AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
  body();
  AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
}

// Returns how many stale reads there were.
static int Use() {
  auto *location = FIND(LibraryLocation)();
  auto *store = FIND(LibraryStore);
  auto *load = FIND(LibraryLoad);
  EXPECT(load(relaxed) == 2 && location->load(relaxed) == 2);
  int data = 0, stale = 0;
  sem_t written;
  EXPECT(!sem_init(&written, 0, 0));
  std::thread writer([&] {
    store(3, relaxed);
    data = 1;
    store(4, release);
    WithoutSynchronising([&] { EXPECT(!sem_post(&written)); });
  });
  std::thread reader([&] {
    WithoutSynchronising([&] { EXPECT(!sem_wait(&written)); });
    int found = location->load(acquire);
    stale += found != 4;
    if (found == 4)
      EXPECT(data == 1);
    EXPECT(load(relaxed) >= found);
  });
  writer.join();
  reader.join();
  EXPECT(!sem_destroy(&written));
  EXPECT(load(relaxed) == 4);
  location->store(2);
  return stale;
}

int main() {
  int stale = 0, again = 0;
  const void *last = nullptr;
  for (int i = 0; i < 30; i++) {
#ifdef LIBRARY
    library = dlopen(LIBRARY, RTLD_NOW);
    EXPECT(library);
#endif
    stale += Use();
#ifdef LIBRARY
    const void *location = FIND(LibraryLocation)();
    again += location == last;
    last = location;
    EXPECT(!dlclose(library));
#endif
  }
  puts(stale ? "stale" : "not stale");
  if (again)
    puts("the same address again");
  // CHECK: {{^stale}}
  // AGAIN: the same address again
  (void)last;
}
