// Loads without a lock: each thread has read the newest store before, so that later loads
// take the short way until somebody stores. They must not see too little, nor acquire too
// little.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: env TSAN_OPTIONS=weak_memory=buffer %t 1000 2>&1 | %FileCheck %s
// RUN: %every_engine --seeds 2 %t 20 | %FileCheck %s
#include <atomic>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kSeqCst = std::memory_order_seq_cst;

std::atomic<int> x, y, met[2], done[2];
int data;
int reads[2][2]; // of even and odd rounds
int rounds = 2000;

void Check(bool right, const char *what) {
  if (right)
    return;
  fprintf(stderr, "WRONG: %s\n", what);
  exit(1);
}

// Both have done that many steps. Relaxed: nothing else happens before.
void Meet(int self, int step) {
  met[self].store(step, kRelaxed);
  while (met[1 - self].load(kRelaxed) < step) {
  }
}

template <void (*body)(int self, int i)> void *Run(void *argument) {
  const int self = argument != nullptr;
  for (int i = 1; i <= rounds; i++)
    body(self, i);
  return nullptr;
}

template <void (*body)(int self, int i)> void Both(const char *name) {
  x = y = met[0] = met[1] = done[0] = done[1] = data = 0;
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, Run<body>, nullptr);
  pthread_create(&threads[1], nullptr, Run<body>, &data);
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  fprintf(stderr, "%s\n", name);
}

// Values of a counter never go back, whoever counts.
void Coherence(int self, int i) {
  static thread_local int last;
  for (int j = 0; j < 4; j++) {
    const int value = x.load(j % 2 ? kRelaxed : kAcquire);
    if (i == 1 && j == 0)
      last = value;
    Check(value >= last, "a load went back");
    last = value;
  }
  const int old = x.fetch_add(1, kRelaxed);
  Check(old >= last, "an increment went back");
  Check(x.load(kRelaxed) > old, "a load did not see its own thread's increment");
  last = old + 1;
}

// A relaxed load has read what an acquire load of the same store, or a fence, acquires.
void Publish(int self, int i) {
  if (self == 0) {
    data = i;
    x.store(i, kRelease);
    while (y.load(kAcquire) < i) {
    }
    return;
  }
  while (x.load(kRelaxed) < i) {
  }
  Check(x.load(kRelaxed) == i, "not what was there");
  if (i % 2)
    Check(x.load(kAcquire) == i, "not what was there");
  else
    std::atomic_thread_fence(kAcquire);
  Check(data == i, "not what was published"); // and a race, if nothing was acquired
  y.store(i, kRelease);
}

// Store buffering: a seq_cst fence sees to it that one of the two sees the other's store,
// though both have read the stores before. So does, in C++20, a seq_cst load of the thread's own
// store, which finds the newest.
template <bool fence> void Dekker(int self, int i) {
  std::atomic<int> &mine = self ? y : x, &other = self ? x : y;
  for (int j = 0; j < 3; j++)
    (void)other.load(kRelaxed);
  Meet(self, i);
  if (fence) {
    mine.store(i, kSeqCst);
    std::atomic_thread_fence(kSeqCst);
  } else {
    mine.store(i, kRelaxed);
    Check(mine.load(kSeqCst) == i, "not what was there");
  }
  reads[i % 2][self] = other.load(fence ? kRelaxed : kSeqCst);
  done[self].store(i, kRelease);
  while (done[1 - self].load(kAcquire) < i) {
  }
  Check(reads[i % 2][0] >= i || reads[i % 2][1] >= i,
        fence ? "store buffering in spite of seq_cst fences"
              : "store buffering in spite of seq_cst loads");
}

// What failed compare-exchanges find.
void Fail(int self, int i) {
  static thread_local int last;
  if (i == 1)
    last = 0;
  for (int j = 0; j < 4; j++) {
    int found = -1;
    Check(!x.compare_exchange_strong(found, 0, kAcquire, kAcquire), "a success out of nowhere");
    Check(found >= last, "a compare-exchange went back");
    last = found;
  }
  while (!x.compare_exchange_strong(last, last + 1, kRelaxed)) {
  }
  last++;
}

// A plain store to an atomic object counts.
void Plain(int self, int i) {
  if (self)
    return;
  Check(y.load(kRelaxed) == (i == 1 ? 0 : -i + 1), "not what was there");
  (void)y.load(kRelaxed);
  *reinterpret_cast<int *>(&y) = -i;
  Check(y.load(kRelaxed) == -i, "a plain store was not seen");
}

int main(int argc, char **argv) {
  if (argc > 1)
    rounds = atoi(argv[1]);
  Both<Coherence>("coherence");
  Check(x.load() == 2 * rounds, "an increment was lost");
  Both<Publish>("publication");
  Both<Dekker<true>>("store buffering, fences");
  Both<Dekker<false>>("store buffering, loads");
  Both<Fail>("compare-exchange");
  Check(x.load() == 2 * rounds, "a compare-exchange was lost");
  Both<Plain>("plain stores");
  fprintf(stderr, "DONE\n");
}

// CHECK-NOT: WARNING
// CHECK-NOT: WRONG
// CHECK: DONE
