// The work-stealing deque: D. Chase, Y. Lev, "Dynamic Circular Work-Stealing Deque", SPAA 2005,
// with the fences of N. M. Le, A. Pop, A. Cohen, F. Zappa Nardelli, "Correct and Efficient
// Work-Stealing for Weak Memory Models", PPoPP 2013. The owner pushes and takes at the bottom, a
// thief steals at the top. Arrays that have been outgrown are kept.
//
// Where we depart from the latter: the array is published with release and acquire (relaxed there,
// which lets a thief see a new array without what is in it), and all stores to the bottom are
// release stores, in place of a release fence before the one in Push. A release store in Push alone
// would not do: since C++20 the relaxed stores of Take would end its release sequence, and a thief
// that reads one of those would acquire nothing.
//
// The bug: the fence in Take is acq_rel. It does not keep the store to the bottom before the load
// of the top.
//
//   owner: pushes 0 and 1; starts the thief; ...; bottom = 1; reads top == 0: takes 1, without a
//          compare-exchange, as 0 is there too
//   thief: top == 0, bottom == 2: steals 0, top = 1;  top == 1, bottom == 2: steals 1, top = 2
//
// Either the owner's read of the top or the thief's of the bottom is stale. Both run task 1, which
// is a data race on it. No sequentially consistent execution shows it.
//
// Correct: say that both get task n. The owner has stored bottom = n before its fence and read a
// top below n behind it (with top == n, a compare-exchange decides). The thief has top == n, from
// its own compare-exchange or from before it was started, before its fence, and reads a bottom
// above n behind. If the thief's fence is first the owner reads top == n or later; if the owner's
// is first the thief reads bottom == n, or a later store. The owner's later stores are at most n,
// but for the one that undoes the last take: that is above n only if top already is, and the
// thief's compare-exchange fails. Push does not come after Take here; where it does, the new task n
// is another. A thief acquires tasks and array from the bottom.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kTakeFence = std::memory_order_acq_rel;
#else
constexpr auto kTakeFence = std::memory_order_seq_cst;
#endif

constexpr int kTasks = 4, kAttempts = 4;
constexpr int kNone = -1;

struct Array {
  int capacity = 0;
  std::atomic<int> slots[kTasks] = {};

  std::atomic<int> &At(int index) { return slots[index % capacity]; }
};

Array arrays[2] = {{2, {}}, {}}; // the second is for when the first is full
std::atomic<Array *> array{&arrays[0]};
std::atomic<int> top{0}, bottom{0};

struct Task {
  int argument = 0, runs = 0;
} tasks[kTasks];

Array *Grow(Array *old, int first, int last) {
  Array *grown = old + 1;
  grown->capacity = 2 * old->capacity;
  for (int i = first; i < last; i++)
    grown->At(i).store(old->At(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
  array.store(grown, std::memory_order_release);
  return grown;
}

void Push(int task) {
  const int last = bottom.load(std::memory_order_relaxed);
  const int first = top.load(std::memory_order_acquire);
  Array *a = array.load(std::memory_order_relaxed);
  if (last - first >= a->capacity)
    a = Grow(a, first, last);
  a->At(last).store(task, std::memory_order_relaxed);
  bottom.store(last + 1, std::memory_order_release);
}

int Take() {
  const int last = bottom.load(std::memory_order_relaxed) - 1;
  Array *a = array.load(std::memory_order_relaxed);
  bottom.store(last, std::memory_order_release);
  std::atomic_thread_fence(kTakeFence);
  int first = top.load(std::memory_order_relaxed);
  if (first < last)
    return a->At(last).load(std::memory_order_relaxed);
  int task = kNone;
  if (first == last && top.compare_exchange_strong(first, first + 1, std::memory_order_seq_cst,
                                                   std::memory_order_relaxed))
    task = a->At(last).load(std::memory_order_relaxed);
  bottom.store(last + 1, std::memory_order_release);
  return task;
}

// Also returns kNone if another thread was faster.
int Steal() {
  int first = top.load(std::memory_order_acquire);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  const int last = bottom.load(std::memory_order_acquire);
  if (first >= last)
    return kNone;
  Array *a = array.load(std::memory_order_acquire);
  const int task = a->At(first).load(std::memory_order_relaxed);
  if (!top.compare_exchange_strong(first, first + 1, std::memory_order_seq_cst,
                                   std::memory_order_relaxed))
    return kNone;
  return task;
}

void RunTask(int task) { tasks[task].runs += tasks[task].argument; }

void Thief() {
  for (int i = 0; i < kAttempts; i++)
    if (int task = Steal(); task != kNone)
      RunTask(task);
}

void Add(int task) {
  tasks[task].argument = 1;
  Push(task);
}

} // namespace

int main() {
  Add(0);
  Add(1);
  std::thread thief(Thief);
  Add(2);
  Add(3);
  // Not the last one, for which owner and thief would meet at a compare-exchange.
  for (int i = 0; i < kTasks - 1; i++)
    if (int task = Take(); task != kNone)
      RunTask(task);
  thief.join();
  for (int task; (task = Take()) != kNone;)
    RunTask(task);
  for (const Task &task : tasks)
    assert(task.runs == 1 && "each task once");
  return 0;
}
