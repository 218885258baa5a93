// A sequence lock with two writers: H.-J. Boehm, "Can Seqlocks Get Along with Programming Language
// Memory Models?", MSPC 2012, the version in which readers end with an acquire fence. The writers'
// stores to the data are release stores, so that a reader which sees one of them and then fences
// sees the odd number too that came before it.
//
// The bug is the one of the C11Tester paper (section 7.1): the compare-exchange that makes the
// number odd is relaxed. The second writer then does not acquire what the first has released, and
// nothing orders its stores to the data behind the first one's.
//
//   writer 1: sequence 0 -> 1;  a = 2;  b = 2;  sequence = 2
//   writer 2: sequence 2 -> 3;  a = 4;  b = 4;  sequence = 4
//   reader:   reads sequence 4, a == 2, b == 4, sequence 4
//
// with a == 4 before a == 2 in modification order. "a = 2" is sequenced before "sequence = 2", that
// is read by writer 2, its "a = 4" is sequenced behind, and before "a = 2" in modification order: a
// cycle. Where the modification order is the order of execution this never happens: "a = 4"
// happens before the reader's loads and is the later of the two, and what is later than the number
// the reader began with is told by its fence. No data race either: all is atomic.
//
// Correct: the compare-exchange acquires, each writer's stores happen before the next one's, and
// modification order has them in the order of the numbers. A reader that began with number n has
// acquired the stores of the write that ended with n. If it sees a later one its fence acquires
// that, with the odd number before it, and the second number it reads is another.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kBegin = std::memory_order_relaxed;
#else
constexpr auto kBegin = std::memory_order_acquire;
#endif

constexpr int kWriters = 2;

std::atomic<int> sequence{0};
std::atomic<int> a{0}, b{0}; // the number of the write that they are from

void Write() {
  int begin = sequence.load(std::memory_order_relaxed);
  while (begin % 2 ||
         !sequence.compare_exchange_strong(begin, begin + 1, kBegin, std::memory_order_relaxed)) {
    std::this_thread::yield();
    begin = sequence.load(std::memory_order_relaxed);
  }
  a.store(begin + 2, std::memory_order_release);
  b.store(begin + 2, std::memory_order_release);
  sequence.store(begin + 2, std::memory_order_release);
}

// Returns the number of the write that was read.
int Read() {
  while (true) {
    const int begin = sequence.load(std::memory_order_acquire);
    const int seen_a = a.load(std::memory_order_relaxed);
    const int seen_b = b.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (begin % 2 == 0 && sequence.load(std::memory_order_relaxed) == begin) {
      assert(seen_a == begin && seen_b == begin && "all that one write wrote");
      return begin;
    }
    std::this_thread::yield();
  }
}

} // namespace

int main() {
  std::thread first(Write), second(Write);
  while (Read() != 2 * kWriters)
    std::this_thread::yield();
  first.join();
  second.join();
  return 0;
}
