// Spin locks and loops that wait, as textbooks have them: all of them end, and soon, under every
// strategy, engine and policy. A store becomes visible in finite time, so whoever keeps
// asking comes to see the last one; also if each question is an RMW, which has a store of
// its own.
//
// The limit of a livelock is low here, so that a loop which takes its time is one.
//
// utils/run-wait-loops runs each a thousand times.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %every_engine --scheduled --seeds 1 --options "read_policy=oldest livelock_ticks=20000" %t 5 | %FileCheck %s
// RUN: %every_engine --scheduled --seeds 1 --options "read_policy=stale livelock_ticks=20000" %t 5 | %FileCheck %s
// RUN: %every_schedule --seeds 1 --options "weak_memory=mograph" %t 5 | %FileCheck %s
#include "heddle_test.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <vector>

//===-- Locks -------------------------------------------------------------===//

struct TestAndSet {
  atomic<int> held{0};
  void Lock(int) {
    while (held.exchange(1, acquire)) {
    }
  }
  void Unlock(int) { held.store(0, release); }
};

struct Flag {
  std::atomic_flag held = ATOMIC_FLAG_INIT;
  void Lock(int) {
    while (held.test_and_set(acquire)) {
    }
  }
  void Unlock(int) { held.clear(release); }
};

struct TestAndTestAndSet {
  atomic<bool> held{false};
  void Lock(int) {
    while (held.exchange(true, acquire)) {
      while (held.load(relaxed)) {
      }
    }
  }
  void Unlock(int) { held.store(false, release); }
};

struct FetchOr {
  atomic<unsigned> bits{0};
  void Lock(int) {
    while (bits.fetch_or(1, acquire) & 1) {
    }
  }
  void Unlock(int) { bits.fetch_and(~1u, release); }
};

struct Swap {
  atomic<int> held{0};
  void Lock(int) {
    int expected = 0;
    while (!held.compare_exchange_weak(expected, 1, acquire, relaxed))
      expected = 0;
  }
  void Unlock(int) { held.store(0, release); }
};

struct SwapStrong {
  atomic<int> held{0};
  void Lock(int self) {
    for (int expected = 0; !held.compare_exchange_strong(expected, self + 1, acquire); expected = 0)
      std::this_thread::yield();
  }
  void Unlock(int) { held.exchange(0, release); }
};

struct Ticket {
  atomic<unsigned> next{0}, serving{0};
  void Lock(int) {
    const unsigned ticket = next.fetch_add(1, relaxed);
    while (serving.load(acquire) != ticket) {
    }
  }
  void Unlock(int) { serving.store(serving.load(relaxed) + 1, release); }
};

// J. M. Mellor-Crummey and M. L. Scott, 1991.
struct Mcs {
  struct Node {
    atomic<Node *> next{nullptr};
    atomic<bool> waits{false};
  };
  atomic<Node *> last{nullptr};
  Node nodes[4];
  void Lock(int self) {
    Node *node = &nodes[self];
    node->next.store(nullptr, relaxed);
    node->waits.store(true, relaxed);
    if (Node *before = last.exchange(node, acq_rel)) {
      before->next.store(node, release);
      while (node->waits.load(acquire)) {
      }
    }
  }
  void Unlock(int self) {
    Node *node = &nodes[self];
    if (!node->next.load(acquire)) {
      Node *expected = node;
      if (last.compare_exchange_strong(expected, nullptr, release, relaxed))
        return;
      while (!node->next.load(acquire)) {
      }
    }
    node->next.load(acquire)->waits.store(false, release);
  }
};

// Gives way with a store of its own in the loop.
struct Backoff {
  atomic<int> held{0};
  atomic<unsigned> attempts{0};
  void Lock(int) {
    while (held.exchange(1, acquire))
      attempts.fetch_add(1, relaxed);
  }
  void Unlock(int) { held.store(0, release); }
};

template <class Kind> void Exclude() {
  Kind lock;
  int count = 0;
  constexpr int kThreads = 3, kRounds = 2;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; i++)
    threads.emplace_back([&, i] {
      for (int round = 0; round < kRounds; round++) {
        lock.Lock(i);
        count++;
        lock.Unlock(i);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  assert(count == kThreads * kRounds);
}

//===-- Loops that wait ---------------------------------------------------===//

template <class Wait, class Signal> void Await(Wait wait, Signal signal) {
  std::thread waiter(wait), other(signal);
  waiter.join();
  other.join();
}

void StoreThatStays() {
  atomic<int> x{0};
  Await([&] { while (x.load(relaxed) != 3) {} },
        [&] { for (int i = 1; i <= 3; i++) x.store(i, relaxed); });
}

void ByRmw() {
  atomic<int> x{0};
  Await([&] { while (!x.fetch_add(0, relaxed)) {} }, [&] { x.store(1, relaxed); });
}

void ByBoth() {
  atomic<int> x{0};
  Await([&] { while (x.fetch_or(2, relaxed) != 3 && x.load(relaxed) != 3) {} },
        [&] { x.fetch_or(1, relaxed); });
}

// Each of many is asked in turn, with a store in between.
void ManyWithStores() {
  constexpr int kMany = 40;
  std::vector<atomic<int>> flags(kMany);
  atomic<int> turns{0};
  Await(
      [&] {
        for (int set = 0; set < kMany;) {
          set = 0;
          for (auto &flag : flags)
            set += flag.load(relaxed);
          turns.store(set, relaxed);
        }
      },
      [&] { for (auto &flag : flags) flag.store(1, relaxed); });
}

void ManyByRmw() {
  constexpr int kMany = 40;
  std::vector<atomic<int>> flags(kMany);
  Await(
      [&] {
        for (int set = 0; set < kMany;) {
          set = 0;
          for (auto &flag : flags)
            set += flag.fetch_add(0, relaxed);
        }
      },
      [&] { for (auto &flag : flags) flag.fetch_add(1, relaxed); });
}

// A barrier that is used again, with a generation.
void Barrier() {
  atomic<int> arrived{0}, generation{0};
  auto meet = [&] {
    for (int round = 0; round < 3; round++) {
      const int now = generation.load(relaxed);
      if (arrived.fetch_add(1, acq_rel) == 1) {
        arrived.store(0, relaxed);
        generation.store(now + 1, release);
      } else {
        while (generation.load(acquire) == now) {
        }
      }
    }
  };
  Await(meet, meet);
}

void PingPong() {
  atomic<int> turn{0};
  auto play = [&](int self) {
    for (int i = 0; i < 5; i++) {
      while (turn.load(acquire) != self) {
      }
      turn.store(1 - self, release);
    }
  };
  Await([&] { play(0); }, [&] { play(1); });
}

// Two halves of one object's bytes, and two sizes of operation.
void TwoFences() {
  atomic<int> x{0}, y{0};
  Await(
      [&] {
        do
          std::atomic_thread_fence(seq_cst);
        while (!x.exchange(0, relaxed));
        y.store(1, relaxed);
      },
      [&] {
        do {
          x.store(1, relaxed);
          std::atomic_thread_fence(seq_cst);
        } while (!y.load(relaxed));
      });
}

const struct {
  const char *name;
  void (*run)();
} kKinds[] = {
    {"test-and-set", Exclude<TestAndSet>},
    {"atomic-flag", Exclude<Flag>},
    {"test-and-test-and-set", Exclude<TestAndTestAndSet>},
    {"fetch-or", Exclude<FetchOr>},
    {"compare-exchange", Exclude<Swap>},
    {"compare-exchange-strong", Exclude<SwapStrong>},
    {"ticket", Exclude<Ticket>},
    {"mcs", Exclude<Mcs>},
    {"backoff", Exclude<Backoff>},
    {"store-that-stays", StoreThatStays},
    {"by-rmw", ByRmw},
    {"by-both", ByBoth},
    {"many-with-stores", ManyWithStores},
    {"many-by-rmw", ManyByRmw},
    {"barrier", Barrier},
    {"ping-pong", PingPong},
    {"two-fences", TwoFences},
};

// PROGRAM RUNS [KIND], or PROGRAM alone, which names the kinds.
int main(int argc, char **argv) {
  const int runs = argc > 1 ? atoi(argv[1]) : 0;
  for (const auto &kind : kKinds) {
    if (!runs)
      puts(kind.name);
    for (int i = 0; i < runs && (argc < 3 || !strcmp(argv[2], kind.name)); i++)
      kind.run();
  }
  puts("over");
  // CHECK: over
}
