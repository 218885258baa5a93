// Destructors of thread_local objects that use others, lock, and make new ones; of pthread keys that
// set themselves again; and of those of the main thread.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %six_modes %t | %FileCheck %s
// CHECK: 12 destructors, 9 rounds of keys
// CHECK-NEXT: end of main thread
#include <atomic>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

static std::mutex mutex;
static int destructors;
static std::atomic<int> rounds;
static pthread_key_t key;
static pthread_t main_thread;

static void Count() {
  std::lock_guard<std::mutex> lock(mutex);
  destructors++;
}

struct Last {
  ~Last() { Count(); }
  int uses = 0;
};
static Last &MadeLate() {
  static thread_local Last last;
  return last;
}
struct First {
  ~First() {
    Count();
    MadeLate().uses++; // comes into being while the thread ends
    if (pthread_equal(pthread_self(), main_thread))
      printf("end of main thread\n");
  }
  int uses = 0;
};
static thread_local First first;
struct Second {
  ~Second() {
    Count();
    first.uses++;
  }
};

static void EndOfKey(void *value) {
  rounds++;
  const long left = reinterpret_cast<long>(value) - 1;
  if (left)
    pthread_setspecific(key, reinterpret_cast<void *>(left));
}

int main() {
  main_thread = pthread_self();
  pthread_key_create(&key, EndOfKey);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++)
    threads.emplace_back([] {
      first.uses++;
      static thread_local Second second, third;
      pthread_setspecific(key, reinterpret_cast<void *>(3));
    });
  for (auto &thread : threads)
    thread.join();
  printf("%d destructors, %d rounds of keys\n", destructors, rounds.load());
  first.uses++;
}
