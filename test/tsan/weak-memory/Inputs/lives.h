// Two lives of an atomic object at one address.
//
// In the first, two threads store to it in no order: modification order may differ from
// the order of execution. Both are joined before the second life begins. Threads that have
// been there since before the first life learn of the second by release and acquire. So
// they must find in it what it began with, and never a store of the first: neither where
// that value is a new one, nor where it is the one that memory held already.
#ifndef LIVES_H
#define LIVES_H

#include "heddle_test.h"
#include <thread>

// What is in memory, whatever the runtime would say.
__attribute__((noinline, disable_sanitizer_instrumentation)) inline int
Raw(const atomic<int> *object) {
  return *reinterpret_cast<const volatile int *>(object);
}

class Lives {
public:
  // With `keep` the second life begins with what memory holds at the end of the first.
  explicit Lives(bool keep) : keep_(keep) {
    for (auto &reader : readers_)
      reader = std::thread([this] {
        atomic<int> *object;
        while (!(object = second_.load(acquire))) {
        }
        for (int i = 0; i < 3; i++) {
          int found = object->load(relaxed);
          EXPECT(found == value_);
        }
      });
  }

  // The first life, which has begun.
  __attribute__((noinline)) void First(atomic<int> *object) {
    first_ = object;
    std::thread even([&] {
      for (int i = 2; i < 10; i += 2)
        object->store(i, relaxed);
    });
    std::thread odd([&] {
      for (int i = 1; i < 10; i += 2)
        object->store(i, relaxed);
    });
    even.join();
    odd.join();
    value_ = keep_ ? Raw(object) : 100;
  }

  // What the second is to begin with.
  int value() const { return value_; }
  void SetValue(int value) { value_ = value; }

  // The second, which has begun. Returns whether it is where the first was.
  __attribute__((noinline)) bool Second(atomic<int> *object) {
    second_.store(object, release);
    for (auto &reader : readers_)
      reader.join();
    return object == first_;
  }

private:
  const bool keep_;
  int value_ = 0;
  atomic<int> *first_ = nullptr;
  alignas(8) atomic<atomic<int> *> second_{nullptr};
  std::thread readers_[2];
};

// Runs `round(lives)`, which returns what Second does, a few times.
template <class Round> void Repeat(const char *name, const Round &round) {
  int reused = 0;
  for (int i = 0; i < 12; i++) {
    Lives lives(i % 2);
    reused += round(lives);
  }
  printf("%s: %s\n", name, reused ? "reused" : "not reused");
  fflush(stdout); // EXPECT does not
}

#endif // LIVES_H
