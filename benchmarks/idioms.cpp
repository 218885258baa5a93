// Idioms whose synchronization stock ThreadSanitizer does not track: fences, and relaxed operations
// on locations that have been released. We do work here that stock does not do, so these say what
// it costs and are no part of the goals.
//
// What one thread passes to another is a relaxed atomic, never plain data: stock would take the
// plain access for a race, and its slow path to a report would spoil the comparison.

#include "measure.h"
#include <memory>
#include <sched.h>

namespace {

using Atomic = std::atomic<int>;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

constexpr int kOps = 512;

// A location with a cache line of its own.
struct alignas(256) Location {
  Atomic value{0};
};

// Measures op(flag, data).
template <typename Op> void MeasureOp(Atomic &flag, Op op) {
  static int data;
  Measure(kOps, [&flag, &data = Shared(data), op] {
#pragma clang loop unroll_count(8)
    for (int i = 0; i < kOps; i++) {
      op(flag, data);
      Barrier();
    }
  });
}

// A flag that another thread has released.
Atomic &ReleasedFlag() {
  static Location flag;
  std::thread([] { flag.value.store(1, release); }).join();
  return Shared(flag.value);
}

//===-- One thread -------------------------------------------------------------------------===//

void FencePublish() {
  static Location flag;
  MeasureOp(Shared(flag.value), [](Atomic &flag, int &data) {
    data = 1;
    std::atomic_thread_fence(release);
    flag.store(1, relaxed);
  });
}

void FenceConsume() {
  MeasureOp(ReleasedFlag(), [](Atomic &flag, int &) {
    (void)flag.load(relaxed);
    std::atomic_thread_fence(acquire);
  });
}

void RelaxedLoadReleased() {
  MeasureOp(ReleasedFlag(), [](Atomic &flag, int &) { (void)flag.load(relaxed); });
}

// Every relaxed store ends the release sequence that the release store before it began.
void RelaxedStoreAfterRelease() {
  static Location flag;
  MeasureOp(Shared(flag.value), [](Atomic &flag, int &) {
    flag.store(1, release);
    Barrier();
    flag.store(2, relaxed);
  });
}

//===-- Two threads ------------------------------------------------------------------------===//

// A queue from thread 0 to thread 1.
struct Queue {
  static constexpr int kSlots = 64;
  Location sent, received, slots[kSlots];

  // Passes one message, which is counted on both sides. Returns false if the run is over.
  bool Pass(bool receiver) {
    Atomic &mine = receiver ? received.value : sent.value;
    Atomic &theirs = receiver ? sent.value : received.value;
    int next = mine.load(relaxed);
    // The sender waits for a free slot, the receiver for a full one.
    while (next - theirs.load(relaxed) == (receiver ? 0 : kSlots)) {
      if (Stopped())
        return false;
      sched_yield();
    }
    std::atomic_thread_fence(acquire);
    Atomic &slot = slots[next % kSlots].value;
    if (receiver)
      (void)slot.load(relaxed);
    else
      slot.store(next, relaxed);
    std::atomic_thread_fence(release);
    mine.store(next + 1, relaxed);
    return true;
  }
};

void FenceMessagePassing() {
  static Queue queue;
  MeasureThreads(2, 2, kOps, [&queue = Shared(queue)](int self) {
    for (int i = 0; i < kOps && queue.Pass(self == 1); i++) {
    }
  });
}

struct Seqlock {
  Location sequence, first, second;

  void Write(int value) {
    int before = sequence.value.load(relaxed);
    sequence.value.store(before + 1, relaxed);
    std::atomic_thread_fence(release);
    first.value.store(value, relaxed);
    second.value.store(value, relaxed);
    std::atomic_thread_fence(release);
    sequence.value.store(before + 2, relaxed);
  }

  // One attempt: one that meets a writer costs as much as any other.
  bool Read() {
    int before = sequence.value.load(relaxed);
    std::atomic_thread_fence(acquire);
    (void)first.value.load(relaxed);
    (void)second.value.load(relaxed);
    std::atomic_thread_fence(acquire);
    return sequence.value.load(relaxed) == before && before % 2 == 0;
  }
};

// The reader is measured.
void FenceSeqlock() {
  static Seqlock seqlock;
  MeasureThreads(2, 1, kOps, [&seqlock = Shared(seqlock)](int self) {
    for (int i = 0; i < kOps; i++) {
      if (self)
        seqlock.Write(i);
      else
        (void)seqlock.Read();
    }
  });
}

struct Spinlock {
  Location locked, counter;

  void Increment() {
    while (locked.value.exchange(1, relaxed))
      sched_yield();
    std::atomic_thread_fence(acquire);
    counter.value.store(counter.value.load(relaxed) + 1, relaxed);
    std::atomic_thread_fence(release);
    locked.value.store(0, relaxed);
  }
};

void FenceSpinlock() {
  static Spinlock spinlock;
  MeasureThreads(2, 2, kOps, [&spinlock = Shared(spinlock)](int) {
    for (int i = 0; i < kOps; i++)
      spinlock.Increment();
  });
}

[[gnu::noinline]] int Use(std::shared_ptr<int> p) { return *p; }

// Every operation copies and destroys.
void SharedPtr() {
  std::shared_ptr<int> shared = std::make_shared<int>(1);
  MeasureThreads(2, 2, kOps, [&shared](int) {
    for (int i = 0; i < kOps; i++)
      Use(shared);
  });
}

const Benchmark kBenchmarks[] = {
    {"fence/publish", FencePublish},
    {"fence/consume", FenceConsume},
    {"relaxed/load-released", RelaxedLoadReleased},
    {"relaxed/store-after-release", RelaxedStoreAfterRelease},
    {"2-threads/fence/message-passing", FenceMessagePassing},
    {"2-threads/fence/seqlock", FenceSeqlock},
    {"2-threads/fence/spinlock", FenceSpinlock},
    {"2-threads/shared_ptr", SharedPtr},
};

} // namespace

int main(int argc, char **argv) { return RunBenchmark(argc, argv, kBenchmarks); }
