// Asymmetric fences without a system call: a lock for an owner, which takes it with no fence, and a
// guest, which pays for both. The guest raises its flag and asks the owner to fence; the owner
// answers at safe points, which are never between its store and its load, but may be in
// its critical section. The idea is that of D. Dice, H. Huang, M. Yang, "Asymmetric Dekker
// Synchronization", Sun Microsystems, 2001; elsewhere sys_membarrier fences for the owner.
//
// The bug: the fence of a safe point is acquire only. What the owner did before is not released
// with its answer.
//
//   guest: flag of guest = 1; asks
//   owner: flag of owner = 1; the guest's flag is 0: enters; answers in its section
//   guest: reads the answer; the owner's flag is 0 (stale): enters
//
// The counter is a data race.
//
// Correct: the guest fences between raising its flag (G) and asking, and between the answer and its
// loads. The owner's load of the question, fence and store of the answer follow each other. So G
// happens before what the owner does behind that safe point, and what it did before the safe point
// happens before the guest's loads. The owner's attempts, a store W of its flag and a load of the
// guest's, are in one piece:
//   - An attempt behind the safe point does not miss G. It gives up, or reads the 0 that the guest
//     stores at the end of its section, or a later one: with acquire, from a release store.
//   - An attempt before it: W happens before the guest's load of the owner's flag, so the load does
//     not miss W. The guest enters with a 0 that is later than W. The owner stores it behind its
//     section, with release, and the guest acquires it.
// Both ways one section happens before the other. This needs acq_rel of the fences and no more:
// seq_cst is what a real one would execute. An owner that ends has answered all questions.

#include "twin.h"

#include <atomic>
#include <limits>

namespace {

#ifdef BUG
constexpr auto kSafePointFence = std::memory_order_acquire;
#else
constexpr auto kSafePointFence = std::memory_order_seq_cst;
#endif

constexpr int kOwnerRounds = 3, kGuestRounds = 2;

class Lock {
public:
  bool TryByOwner() {
    owner_.store(1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst); // the compiler's order, and no instruction
    if (!guest_.load(std::memory_order_acquire))
      return true;
    ReleaseByOwner();
    return false;
  }

  void ReleaseByOwner() { owner_.store(0, std::memory_order_release); }

  void SafePoint() { Answer(question_.load(std::memory_order_relaxed)); }

  void EndOwner() { Answer(std::numeric_limits<int>::max()); }

  void AcquireByGuest() {
    guest_.store(1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    question_.store(++asked_, std::memory_order_relaxed);
    while (answer_.load(std::memory_order_relaxed) < asked_)
      std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_seq_cst);
    while (owner_.load(std::memory_order_acquire))
      std::this_thread::yield();
  }

  void ReleaseByGuest() { guest_.store(0, std::memory_order_release); }

private:
  void Answer(int answer) {
    if (answer == answered_)
      return;
    answered_ = answer;
    std::atomic_thread_fence(kSafePointFence);
    answer_.store(answer, std::memory_order_relaxed);
  }

  std::atomic<int> owner_{0}, guest_{0};
  std::atomic<int> question_{0}, answer_{0};
  int asked_ = 0;    // the guest's
  int answered_ = 0; // the owner's
};

void Execute() {
  Lock lock;
  int counter = 0, by_owner = 0;
  const auto own = [&] {
    for (int i = 0; i < kOwnerRounds; i++) {
      if (lock.TryByOwner()) {
        lock.SafePoint();
        counter++;
        by_owner++;
        lock.ReleaseByOwner();
      }
      lock.SafePoint();
    }
    lock.EndOwner();
  };
  const auto visit = [&] {
    for (int i = 0; i < kGuestRounds; i++) {
      lock.AcquireByGuest();
      counter++;
      lock.ReleaseByGuest();
    }
  };
  twin::RunTogether(own, visit);
  twin::Expect(counter == by_owner + kGuestRounds, "no increment is lost");
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
