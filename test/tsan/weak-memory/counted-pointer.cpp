// A lock-free stack whose head is a pointer with a counter, exchanged by a compare-exchange of 16
// bytes. Nodes are used again, and the counter sees to it that no thread takes the one for the
// other: silent, and nothing is lost. The same with a push that is relaxed is found.
//
// RUN: %clangxx_heddle %cx16 %s -o %t -latomic && %every_engine %t | %FileCheck %s
// RUN: env TSAN_OPTIONS="schedule=pctwm weak_memory=mograph seed=1" %expect_clean %t
// CHECK: sum 21
//
// RUN: %clangxx_heddle %cx16 -DPUSH=relaxed %s -o %t.relaxed -latomic
// RUN: env TSAN_OPTIONS="schedule=random weak_memory=mograph seed=1" not --crash %t.relaxed 2>&1 | %FileCheck --check-prefix=STALE %s
// STALE: Assertion
#include "heddle_test.h"
#include <cassert>
#include <thread>

#ifndef PUSH
#define PUSH release
#endif

struct Node {
  alignas(8) atomic<int> value{0};
  alignas(8) atomic<Node *> next{nullptr};
};

struct Counted {
  Node *node;
  unsigned long count;
};

class Stack {
public:
  void Push(Node *node) {
    Counted old = head_.load(relaxed);
    do
      node->next.store(old.node, relaxed);
    while (!head_.compare_exchange_weak(old, {node, old.count + 1}, PUSH, relaxed));
  }
  Node *Pop() {
    Counted old = head_.load(acquire);
    // The next of a node that has been popped meanwhile is read in vain.
    while (old.node && !head_.compare_exchange_weak(
                           old, {old.node->next.load(relaxed), old.count + 1}, acquire, acquire)) {
    }
    return old.node;
  }

private:
  alignas(16) atomic<Counted> head_{Counted{nullptr, 0}};
};

int main() {
  for (int round = 0; round < 20; round++) {
    Stack full, empty;
    Node nodes[3];
    for (Node &node : nodes)
      empty.Push(&node);
    int sum = 0;
    std::thread producer([&] {
      for (int i = 1; i <= 6;) {
        if (Node *node = empty.Pop()) {
          node->value.store(i++, relaxed);
          full.Push(node);
        }
      }
    });
    std::thread consumer([&] {
      for (int taken = 0; taken < 6;) {
        if (Node *node = full.Pop()) {
          const int value = node->value.exchange(0, relaxed);
          assert(value);
          sum += value;
          taken++;
          empty.Push(node);
        }
      }
    });
    producer.join();
    consumer.join();
    assert(sum == 21);
  }
  printf("sum 21\n");
}
