// A plain object in the same eight bytes as an atomic one, which many threads write: their writes
// push one another out of the shadow, so often that not all of them can be remembered. That is no
// new life of the atomic object, and what was released to it is still acquired: there is no race.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_engine --seeds 3 %t
// RUN: env TSAN_OPTIONS=weak_memory=buffer %expect_clean %t
#include "heddle_test.h"

constexpr int kWriters = 8, kRounds = 12;
constexpr auto kRelaxed = std::memory_order_relaxed;

// Not to be taken apart by the compiler.
struct alignas(8) Object {
  atomic<int> flag;
  int neighbour;
};
Object object;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
atomic<int> published, finished;
int data, scratch[kWriters][16];


void *Publish(void *) {
  data = 1;
  object.flag.store(1, std::memory_order_release);
  published.store(1, kRelaxed);
  return nullptr;
}

void *Write(void *argument) {
  int *own = static_cast<int *>(argument); // nobody else's
  while (!published.load(kRelaxed))
    sched_yield();
  for (int i = 0; i < kRounds; i++) {
    // Which access is pushed out depends on how many there have been.
    for (int j = 0; j < i % 4; j++) {
      own[2 * j]++;
      asm volatile("" ::: "memory");
    }
    pthread_mutex_lock(&mutex);
    object.neighbour++;
    pthread_mutex_unlock(&mutex);
  }
  finished.fetch_add(1, kRelaxed);
  return nullptr;
}

void *Read(void *) {
  while (finished.load(kRelaxed) != kWriters)
    sched_yield();
  while (!object.flag.load(std::memory_order_acquire))
    sched_yield();
  EXPECT(data == 1);
  return nullptr;
}

int main() {
  pthread_t threads[kWriters + 2];
  pthread_create(&threads[0], nullptr, Publish, nullptr);
  pthread_create(&threads[1], nullptr, Read, nullptr);
  for (int i = 0; i < kWriters; i++)
    pthread_create(&threads[i + 2], nullptr, Write, scratch[i]);
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  EXPECT(object.neighbour == kWriters * kRounds);
}
