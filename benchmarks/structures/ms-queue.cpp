// The queue of M. Michael, M. Scott, "Simple, Fast, and Practical Non-Blocking and Blocking
// Concurrent Queue Algorithms", PODC 1996, figure 1. Nodes are never used again, so pointers need
// no counter.
//
// Two threads enqueue two values each, a third dequeues four.
//
// The bug: the two compare-exchanges that publish a node, in its predecessor and in the tail, are
// relaxed.
//
//   producer: node.value = 1; links the node, relaxed
//   consumer: finds the node, acquire; reads node.value: a data race
//
// Every execution shows it, sequentially consistent ones too. With a stale read it can also be that
// the tail has moved on and the link is not there yet: a failed assertion.
//
// Correct: a thread has each node from an acquire load that read a release operation of who
// enqueued the node, or of one who had it in this way and passes it on. So the plain store to
// `value` happens before each load. The tail is never behind the head for who looks at the head
// first: who moved the head had seen a tail beyond, and released that with the head. And who has
// seen the tail beyond a node has acquired that node's link.

#include <atomic>
#include <cassert>
#include <thread>

namespace {

#ifdef BUG
constexpr auto kPublish = std::memory_order_relaxed;
#else
constexpr auto kPublish = std::memory_order_release;
#endif

constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;
constexpr auto kRelaxed = std::memory_order_relaxed;

constexpr int kProducers = 2, kItems = 2; // items of each

struct Node {
  int value = 0;
  std::atomic<Node *> next{nullptr};
};

Node dummy, nodes[kProducers][kItems];
std::atomic<Node *> head{&dummy}, tail{&dummy};

bool Move(std::atomic<Node *> &pointer, Node *from, Node *to, std::memory_order order) {
  return pointer.compare_exchange_strong(from, to, order, kRelaxed);
}

void Enqueue(Node *node, int value) {
  node->value = value;
  Node *last;
  while (true) {
    last = tail.load(kAcquire);
    Node *next = last->next.load(kAcquire);
    if (last != tail.load(kAcquire))
      continue;
    if (next)
      Move(tail, last, next, kRelease);
    else if (Move(last->next, nullptr, node, kPublish))
      break;
  }
  Move(tail, last, node, kPublish);
}

// Returns 0 if there is nothing.
int Dequeue() {
  while (true) {
    Node *first = head.load(kAcquire);
    Node *last = tail.load(kAcquire);
    Node *next = first->next.load(kAcquire);
    if (first != head.load(kAcquire))
      continue;
    if (first == last) {
      if (!next)
        return 0;
      Move(tail, last, next, kRelease);
      continue;
    }
    assert(next && "who moved the tail has seen the link");
    const int value = next->value;
    if (Move(head, first, next, kRelease))
      return value;
  }
}

void Produce(int self) {
  for (auto &node : nodes[self])
    Enqueue(&node, 1);
}

} // namespace

int main() {
  std::thread first(Produce, 0), second(Produce, 1);
  int sum = 0;
  for (int i = 0; i < kProducers * kItems; i++) {
    int value;
    while (!(value = Dequeue()))
      std::this_thread::yield();
    sum += value;
  }
  assert(sum == kProducers * kItems);
  first.join();
  second.join();
  return 0;
}
