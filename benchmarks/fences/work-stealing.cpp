// The work-stealing deque of D. Chase and Y. Lev (SPAA 2005) with the fences of N. M. Le, A. Pop,
// A. Cohen, F. Zappa Nardelli, "Correct and Efficient Work-Stealing for Weak Memory Models", PPoPP
// 2013, figure 1, an array that need not grow, an owner and two thieves.
// structures/chase-lev-deque.cpp has one thief, an array that grows, and its bug in the owner's
// fence.
//
// Where we depart: the compare-exchanges are relaxed, which are seq_cst there. C++11 needed that
// for two thieves: when one reads a top that the other has stored, and fences, the store is not
// sequenced before the fence, and only its own place in S relates the two. In C++20 the fences
// suffice.
//
// The bug: the thief's fence is acq_rel.
//
//   owner:   bottom = 2; fence; reads top == 0: takes 2
//   thieves: steal 0 and 1; read top == 2; fence; read bottom == 3 (stale): steal 2
//
// Either the owner's read of the top or the thief's of the bottom is stale. Two threads run task 2,
// which is a data race on it.
//
// Correct: say that both the owner and a thief get task n. The owner does not decide by a
// compare-exchange, or only one of them would have it: so it has stored bottom = n with B before
// its fence X, and read a top below n with the load T behind. The thief has read top == n with the
// load N before its fence Y, and a bottom above n with the load L behind. The top only grows, so T
// reads an older value than the store K of n, which N reads: T => K => N. X happens before T, and N
// before Y: 4.4 puts X before Y. If L missed B, L => B, it would put Y before X. So L reads B,
// which is n, or a later store of the owner. After B those are at most n: no Push comes behind a
// Take here, a later Take begins below n, and restores no more than it took away. The thief does
// not steal n.
//
// The thief that steals n has acquired, by L, a bottom above n. It was stored behind the release
// fence of the push of n, even if by a Take: unlike a release store, a release fence counts for all
// stores behind it.

#include "twin.h"

#include <atomic>

namespace {

#ifdef BUG
constexpr auto kThiefFence = std::memory_order_acq_rel;
#else
constexpr auto kThiefFence = std::memory_order_seq_cst;
#endif

constexpr int kTasks = 3, kSteals = 2;
constexpr int kEarly = 2; // tasks that are there when the thieves begin
constexpr int kNone = -1;

class Deque {
public:
  void Push(int task) {
    const int bottom = bottom_.load(std::memory_order_relaxed);
    tasks_[bottom].store(task, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
  }

  int Take() {
    const int bottom = bottom_.load(std::memory_order_relaxed) - 1;
    bottom_.store(bottom, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int top = top_.load(std::memory_order_relaxed);
    if (top < bottom)
      return tasks_[bottom].load(std::memory_order_relaxed);
    int task = kNone;
    if (top == bottom && top_.compare_exchange_strong(top, top + 1, std::memory_order_relaxed))
      task = tasks_[bottom].load(std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_relaxed);
    return task;
  }

  // Also returns kNone if another thread was faster.
  int Steal() {
    int top = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(kThiefFence);
    const int bottom = bottom_.load(std::memory_order_acquire);
    if (top >= bottom)
      return kNone;
    const int task = tasks_[top].load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_relaxed))
      return kNone;
    return task;
  }

private:
  std::atomic<int> top_{0}, bottom_{0};
  std::atomic<int> tasks_[kTasks] = {};
};

void Execute() {
  Deque deque;
  int runs[kTasks] = {};
  const auto run = [&](int task) {
    if (task != kNone)
      runs[task]++;
  };
  for (int i = 0; i < kEarly; i++)
    deque.Push(i);
  const auto own = [&] {
    for (int i = kEarly; i < kTasks; i++)
      deque.Push(i);
    for (int i = 0; i < kTasks; i++)
      run(deque.Take());
  };
  const auto steal = [&] {
    for (int i = 0; i < kSteals; i++)
      run(deque.Steal());
  };
  twin::RunTogether(own, steal, steal);
  for (int task; (task = deque.Take()) != kNone;)
    run(task);
  for (int i = 0; i < kTasks; i++)
    twin::Expect(runs[i] == 1, "each task runs once");
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
