// An eventcount, by which threads wait for what lock-free code does: D. P. Reed, R. K. Kanodia,
// "Synchronization with Eventcounts and Sequencers", CACM 22(2), 1979, in the form of D. Vyukov's.
// A waiter announces itself, fences, and looks again before it sleeps; a notifier stores, fences,
// and does something only if a waiter has announced itself.
//
// The bug: the notifier's fence is acq_rel.
//
//   consumer: waiters = 1; fence; produced is 0: sleeps
//   producer: produced = 1; fence; waiters is 0 (stale): wakes nobody
//
// The consumer sleeps for ever: a deadlock.
//
// Correct: let the consumer look with the load R, behind its increment W of the waiters, its load E
// of the epoch and its fence X, and let R miss the producer's last store P. The producer fences
// with Y behind P, and loads the waiters with L. By the lemma of twin.h L does not miss W, and as
// the waiters' number falls only when one has woken up, or looked and not slept, L sees one. So the
// producer increments the epoch, with I. E has not read I: I => E would put Y before X by 4.4,
// while R => P puts X before Y. So the consumer sleeps only while the epoch is older than I. It
// looks at that, and falls asleep, in one critical section of the mutex, and I is in another:
// either the former is first, and the notification comes when the consumer sleeps, or it sees I and
// does not sleep.
//
// The payload is ordered by `produced` itself: release and acquire.

#include "twin.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace {

#ifdef BUG
constexpr auto kNotifierFence = std::memory_order_acq_rel;
#else
constexpr auto kNotifierFence = std::memory_order_seq_cst;
#endif

constexpr int kItems = 2;

class EventCount {
public:
  // Sleep or Cancel must follow, after a last look.
  int Prepare() {
    waiters_.fetch_add(1, std::memory_order_relaxed);
    const int epoch = epoch_.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return epoch;
  }

  void Cancel() { waiters_.fetch_sub(1, std::memory_order_relaxed); }

  void Sleep(int epoch) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return epoch_.load(std::memory_order_relaxed) != epoch; });
    }
    Cancel();
  }

  void Notify() {
    std::atomic_thread_fence(kNotifierFence);
    if (!waiters_.load(std::memory_order_relaxed))
      return;
    {
      std::lock_guard lock(mutex_);
      epoch_.fetch_add(1, std::memory_order_relaxed);
    }
    changed_.notify_all();
  }

private:
  std::atomic<int> waiters_{0}, epoch_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
};

void Execute() {
  EventCount events;
  int items[kItems] = {};
  std::atomic<int> produced{0};
  const auto produce = [&] {
    for (int i = 0; i < kItems; i++) {
      items[i] = i + 1;
      produced.store(i + 1, std::memory_order_release);
      events.Notify();
    }
  };
  const auto consume = [&] {
    for (int i = 0; i < kItems; i++) {
      while (produced.load(std::memory_order_acquire) <= i) {
        const int epoch = events.Prepare();
        if (produced.load(std::memory_order_acquire) <= i)
          events.Sleep(epoch);
        else
          events.Cancel();
      }
      twin::Expect(items[i] == i + 1, "an item is there when it is counted");
    }
  };
  twin::RunTogether(produce, consume, consume);
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
