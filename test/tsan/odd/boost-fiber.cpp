// boost.fiber as Debian builds it, without annotations: fibers of one thread run, wait for each other
// and end, in each of two threads. The schedule sees threads.
//
// REQUIRES: boost-fiber
// RUN: %clangxx_heddle %s -o %t -lboost_fiber -lboost_context
// RUN: %six_modes %t | %FileCheck %s
// CHECK: 100
#include <atomic>
#include <boost/fiber/all.hpp>
#include <cstdio>
#include <thread>

static std::atomic<int> count;

static void RunFibers() {
  boost::fibers::mutex mutex;
  boost::fibers::buffered_channel<int> channel(4);
  boost::fibers::fiber receiver([&] {
    for (int value; channel.pop(value) == boost::fibers::channel_op_status::success;) {
      std::lock_guard<boost::fibers::mutex> lock(mutex);
      count += value;
    }
  });
  boost::fibers::fiber sender([&] {
    for (int i = 0; i < 50; i++) {
      channel.push(1);
      if (i % 8 == 0)
        boost::this_fiber::yield();
    }
    channel.close();
  });
  sender.join();
  receiver.join();
}

int main() {
  std::thread other(RunFibers);
  RunFibers();
  other.join();
  printf("%d\n", count.load());
}
