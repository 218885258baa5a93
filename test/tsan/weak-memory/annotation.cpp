// Annotations and atomic operations on one address see each other where an engine has the
// location, too: __tsan_acquire() takes what a store or an RMW released there, and an acquiring
// operation of any kind takes what __tsan_release() gave. Without the annotation each is a race.
//
// RUN: %clangxx_heddle -DANNOTATED=1 %s -o %t
// RUN: %every_engine %t store && %every_engine %t rmw && %every_engine %t load
// RUN: %every_engine %t fetch_add && %every_engine %t compare_exchange && %every_engine %t failure
// RUN: %every_engine --options read_policy=oldest %t store
// RUN: %clangxx_heddle -DANNOTATED=0 %s -o %t
// RUN: env TSAN_OPTIONS="weak_memory=buffer" %expect_race %t store
// RUN: env TSAN_OPTIONS="weak_memory=buffer" %expect_race %t rmw
// RUN: env TSAN_OPTIONS="weak_memory=buffer" %expect_race %t load
// RUN: env TSAN_OPTIONS="weak_memory=buffer" %expect_race %t fetch_add
// RUN: env TSAN_OPTIONS="weak_memory=buffer" %expect_race %t compare_exchange
// RUN: env TSAN_OPTIONS="weak_memory=buffer" %expect_race %t failure
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph" %expect_race %t store
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph" %expect_race %t fetch_add
#include "heddle_test.h"
#include <sanitizer/tsan_interface.h>
#include <string.h>
#include <thread>

alignas(8) int data;
alignas(8) atomic<int> object{0}, done{0};

void Annotate(void (*annotation)(void *)) {
  if (ANNOTATED)
    annotation(&object);
}

struct Case {
  const char *name;
  void (*publish)();
  void (*receive)();
} cases[] = {
    {"store", [] { object.store(1, release); }, [] { Annotate(__tsan_acquire); }},
    {"rmw",
     [] {
       object.store(1, relaxed);
       object.fetch_sub(1, release);
     },
     [] { Annotate(__tsan_acquire); }},
    {"load", [] { Annotate(__tsan_release); }, [] { (void)object.load(acquire); }},
    {"fetch_add", [] { Annotate(__tsan_release); }, [] { object.fetch_add(1, acquire); }},
    {"compare_exchange", [] { Annotate(__tsan_release); },
     [] {
       int expected = 0;
       EXPECT(object.compare_exchange_strong(expected, 1, acquire, relaxed));
     }},
    {"failure", [] { Annotate(__tsan_release); },
     [] {
       int expected = 1;
       EXPECT(!object.compare_exchange_strong(expected, 2, relaxed, acquire));
     }},
};

int main(int argc, char **argv) {
  for (const Case &each : cases) {
    if (argc != 2 || strcmp(argv[1], each.name))
      continue;
    std::thread publisher([&] {
      object.load(relaxed); // the engine has it
      data = 1;
      each.publish();
      done.store(1, relaxed);
    });
    std::thread receiver([&] {
      while (!done.load(relaxed)) { // which orders nothing
      }
      each.receive();
      EXPECT(data == 1);
    });
    publisher.join();
    receiver.join();
    return 0;
  }
  return 2;
}
