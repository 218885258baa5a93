// A sequence lock with fences: H.-J. Boehm, "Can Seqlocks Get Along with Programming Language
// Memory Models?", MSPC 2012. One writer makes the number odd, writes, and makes it even again;
// readers read again if the number was odd or has changed. All data is relaxed, and fences on both
// sides keep it between the two numbers. structures/seqlock.cpp has two writers, and release
// stores.
//
// There is no seq_cst here: this is a twin for the rules of acquire and release fences.
//
// The bug: the reader's fence is relaxed, which is none. Its last load of the number is not kept
// behind those of the data.
//
//   writer: number = 1; fence; a = 1; b = 1; number = 2
//   reader: number is 0; a is 0; b is 1; number is 0 (stale)
//
// Correct: let the reader find the number 2j twice. The first load acquires what was stored before
// 2j: a and b are from write j or later. If one were from write k > j, the writer's release fence
// before that store would synchronise with the reader's acquire fence behind the load, and the
// store of 2k - 1, which is sequenced before the former, would happen before the second load of the
// number. That could not read 2j, which is older.

#include "twin.h"

#include <atomic>

namespace {

#ifdef BUG
constexpr auto kReaderFence = std::memory_order_relaxed;
#else
constexpr auto kReaderFence = std::memory_order_acquire;
#endif

constexpr int kWrites = 2, kReads = 2;

class Pair {
public:
  void Write(int value) {
    const int number = number_.load(std::memory_order_relaxed);
    number_.store(number + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    a_.store(value, std::memory_order_relaxed);
    b_.store(value, std::memory_order_relaxed);
    number_.store(number + 2, std::memory_order_release);
  }

  void Read() {
    while (true) {
      const int number = number_.load(std::memory_order_acquire);
      const int a = a_.load(std::memory_order_relaxed);
      const int b = b_.load(std::memory_order_relaxed);
      std::atomic_thread_fence(kReaderFence);
      if (number % 2 == 0 && number_.load(std::memory_order_relaxed) == number) {
        twin::Expect(a == number / 2 && b == number / 2, "a and b are from one write");
        return;
      }
      std::this_thread::yield();
    }
  }

private:
  std::atomic<int> number_{0}, a_{0}, b_{0};
};

void Execute() {
  Pair pair;
  const auto read = [&] {
    for (int i = 0; i < kReads; i++)
      pair.Read();
  };
  const auto write = [&] {
    for (int i = 1; i <= kWrites; i++)
      pair.Write(i);
  };
  twin::RunTogether(write, read, read);
}

} // namespace

int main(int argc, char **argv) { return twin::Main(argc, argv, Execute); }
