// std::atomic<std::shared_ptr>, whose spin lock is a bit of a pointer: a correct program is silent,
// and each thread finds what it must. load() comes last here: libstdc++ 12 unlocks in relaxed order
// there, so that its plain read races with the write of a later store, and is reported rightly.
//
// RUN: %clangxx_heddle %s -o %t && %every_engine %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pctwm weak_memory=mograph seed=1" %expect_clean %t
// RUN: env TSAN_OPTIONS="schedule=pctwm weak_memory=buffer seed=1" %expect_clean %t
// CHECK: done
#include "heddle_test.h"
#include <memory>
#include <thread>

struct Object {
  explicit Object(int value) : value(value) {}
  ~Object() { value = -1; }
  int value;
};

int main() {
  for (int round = 0; round < 5; round++) {
    atomic<std::shared_ptr<Object>> shared(std::make_shared<Object>(0));
    std::thread writer([&] {
      for (int i = 1; i <= 4; i++)
        shared.store(std::make_shared<Object>(i));
    });
    std::thread exchanger([&] {
      auto mine = shared.exchange(std::make_shared<Object>(10));
      EXPECT((mine->value >= 0 && mine->value <= 4) || mine->value == 20);
    });
    std::thread comparer([&] {
      std::shared_ptr<Object> old;
      EXPECT(!shared.compare_exchange_strong(old, std::make_shared<Object>(20)));
      const int found = old->value;
      EXPECT((found >= 0 && found <= 4) || found == 10);
      if (shared.compare_exchange_strong(old, std::make_shared<Object>(20)))
        EXPECT(old->value == found);
    });
    writer.join();
    exchanger.join();
    comparer.join();
    const int last = shared.load()->value;
    EXPECT(last == 4 || last == 10 || last == 20);
  }
  printf("done\n");
}
