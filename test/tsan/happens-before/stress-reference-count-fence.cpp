// Reference counting as the C++ memory model has it: fetch_sub(release), and an acquire fence by
// the last owner only. Upstream takes the deletion for a race.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

const int kThreads = 4, kObjects = 30000;

struct Object {
  atomic<int> count{kThreads};
  int values[kThreads] = {};

  void Drop() {
    if (count.fetch_sub(1, release) == 1) {
      atomic_thread_fence(acquire);
      for (int value : values)
        EXPECT(value == 1);
      delete this;
    }
  }
};

int main() {
  static Object *objects[kObjects];
  for (Object *&object : objects)
    object = new Object;
  Concurrently(kThreads, [&](int self) {
    for (Object *object : objects) {
      object->values[self] = 1;
      object->count.fetch_add(1, relaxed);
      object->Drop();
      object->Drop();
    }
  });
}
