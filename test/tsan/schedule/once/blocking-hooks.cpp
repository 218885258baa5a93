// A program may define hooks that are called around the initialisation of a static object, where a
// thread may have to wait. They are the program's code, and may wait themselves.
//
// RUN: %clangxx_heddle %s -o %t && %every_schedule %t | %FileCheck %s
// CHECK: 4 begun, 4 ended
#include <mutex>
#include <stdio.h>
#include <thread>

static std::mutex mutex;
static int begun, ended;

namespace __tsan {
void OnPotentiallyBlockingRegionBegin() {
  std::lock_guard<std::mutex> lock(mutex);
  begun++;
}
void OnPotentiallyBlockingRegionEnd() {
  std::lock_guard<std::mutex> lock(mutex);
  ended++;
}
} // namespace __tsan

struct Object {
  explicit Object(void *by) : by(by) {}
  void *by;
};

template <int> static void Use() { static Object object(&object); }

int main() {
  // Once for each thread that finds the object not initialised: these are alone with theirs.
  std::thread first(Use<1>), second(Use<2>);
  first.join();
  second.join();
  Use<3>();
  Use<4>();
  Use<1>(); // initialised
  printf("%d begun, %d ended\n", begun, ended);
}
