// std::shared_ptr and std::weak_ptr, copied and dropped by several threads.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"
#include <memory>

const int kThreads = 4, kObjects = 20000;

struct Object {
  int values[kThreads] = {};
  ~Object() {
    for (int value : values)
      EXPECT(value == 1);
  }
};

int main() {
  static std::shared_ptr<Object> owners[kThreads][kObjects];
  for (int i = 0; i < kObjects; i++) {
    auto object = std::make_shared<Object>();
    for (auto &mine : owners)
      mine[i] = object;
  }
  Concurrently(kThreads, [&](int self) {
    for (auto &mine : owners[self]) {
      std::weak_ptr<Object> weak = mine;
      mine->values[self] = 1;
      std::shared_ptr<Object> copy = mine;
      mine.reset();
      copy.reset();
      if (auto again = weak.lock())
        EXPECT(again->values[self] == 1);
    }
  });
}
