// A stack that is pushed with release compare-exchanges and emptied at once with an acquire
// exchange. The exchange reads the last push, but synchronises with all of them: each push is a
// read-modify-write on the one before and continues its release sequence.
//
// RUN: %clangxx_heddle %s -o %t && %expect_clean %t
// RUN: env TSAN_OPTIONS=release_sequence=cxx11 %expect_clean %t
#include "heddle_test.h"

const int kThreads = 3, kNodes = 50000;

struct Node {
  int value;
  Node *next;
};
atomic<Node *> head;

static void Push(Node *node) {
  node->value = 1;
  node->next = head.load(relaxed);
  while (!head.compare_exchange_weak(node->next, node, release, relaxed)) {
  }
}

static int PopAll() {
  int sum = 0;
  for (Node *node = head.exchange(nullptr, acquire), *next; node; node = next) {
    next = node->next;
    sum += node->value;
    delete node;
  }
  return sum;
}

int main() {
  Concurrently(kThreads + 1, [](int self) {
    if (self < kThreads) {
      for (int i = 0; i < kNodes; i++)
        Push(new Node);
      return;
    }
    for (int sum = 0; sum < kThreads * kNodes; sum += PopAll())
      sched_yield();
  });
}
