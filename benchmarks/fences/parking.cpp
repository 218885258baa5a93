// A worker that parks when there is nothing to do, and another thread than the producer that wakes
// it, as where the producer must not enter the kernel. The worker has seq_cst accesses and no
// fence, the waker has a fence and otherwise relaxed accesses: the rules that mix the two, 4.2
// and 4.3.
//
// This is correct in C++20, and was not in C++11: there the waker's fence helped only stores that
// are sequenced before it, and the producer's are in another thread.
//
// The bug: the worker's last look before it sleeps is an acquire load, which is not part of S.
//
//   worker:   parked = 1; produced is still 0 (stale): sleeps
//   producer: produced = 1
//   waker:    reads produced == 1; fence; parked is 0 (stale, or not yet 1): wakes nobody
//
// The worker sleeps for ever: a deadlock.
//
// Correct: let the worker park with the store A and look with the load R, both seq_cst, and let R
// miss the producer's last store P. The waker has acquired P, then fences with Y, and looks at
// `parked` with L. R => P, R is seq_cst and P happens before Y: R precedes Y in S by 4.2, and A
// precedes R. If L missed A, L => A, then 4.3 would put Y before A. So L reads A, or a later store.
// If that is 1 the waker's exchange follows, and a 1 that it takes away is a token for the
// semaphore. If L or the exchange finds 0, the 0 is later than A: the waker itself has stored it,
// and posted the token, or the worker has, which then does not sleep. So the worker gets a token
// for A. A worker that finds on second thoughts that it need not sleep, and its 1 taken away, takes
// the token that belongs to it.

#include "twin.h"

#include <atomic>
#include <semaphore.h>

namespace {

#ifdef BUG
constexpr auto kLastLook = std::memory_order_acquire;
#else
constexpr auto kLastLook = std::memory_order_seq_cst;
#endif

constexpr int kItems = 2;

class Channel {
public:
  Channel() { sem_init(&tokens_, 0, 0); }
  ~Channel() { sem_destroy(&tokens_); }

  void Produce() {
    for (int i = 0; i < kItems; i++) {
      items_[i] = i + 1;
      produced_.store(i + 1, std::memory_order_release);
    }
  }

  void Wake() {
    for (int known = 0; known < kItems;) {
      const int produced = produced_.load(std::memory_order_acquire);
      if (produced == known) {
        std::this_thread::yield();
        continue;
      }
      known = produced;
      std::atomic_thread_fence(std::memory_order_seq_cst);
      if (parked_.load(std::memory_order_relaxed) && parked_.exchange(0, std::memory_order_relaxed))
        sem_post(&tokens_);
    }
  }

  void Work() {
    for (int i = 0; i < kItems; i++) {
      while (produced_.load(std::memory_order_acquire) <= i)
        Park(i);
      twin::Expect(items_[i] == i + 1, "an item is there when it is counted");
    }
  }

private:
  // Sleeps unless there are more items than these.
  void Park(int items) {
    parked_.store(1, std::memory_order_seq_cst);
    if (produced_.load(kLastLook) > items && parked_.exchange(0, std::memory_order_relaxed))
      return;
    while (sem_wait(&tokens_)) {
    }
  }

  int items_[kItems] = {};
  std::atomic<int> produced_{0}, parked_{0};
  sem_t tokens_;
};

void Execute() {
  Channel channel;
  twin::RunTogether([&] { channel.Produce(); }, [&] { channel.Wake(); }, [&] { channel.Work(); });
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
