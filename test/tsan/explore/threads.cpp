// Threads are used again, and nobody can tell: thread-local variables are new, and destroyed at the
// end; those that end in their own way do.
//
// RUN: %clangxx_heddle %s -o %t
// RUN: %t > %t.out 2>&1 && %FileCheck %s < %t.out
// CHECK: 50 executions
// CHECK-NEXT: 51 first uses, 102 destroyed
// CHECK-NEXT: 51 values of the key destroyed
// CHECK-NEXT: 51 exits
#include <assert.h>
#include <atomic>
#include <errno.h>
#include <pthread.h>
#include <sanitizer/heddle_interface.h>
#include <signal.h>
#include <stdio.h>
#include <thread>

std::atomic<int> first_uses, destroyed, keys_destroyed, exits;
struct Counted {
  int uses = 0;
  ~Counted() { destroyed++; }
};
thread_local Counted counted;
thread_local int number = 42;
thread_local int zero;
pthread_key_t key;

void *Exits(void *) {
  counted.uses++;
  exits++;
  pthread_exit(reinterpret_cast<void *>(7));
}

int main() {
  pthread_key_create(&key, [](void *) { keys_destroyed++; });
  heddle::Options options;
  options.executions = 50;
  heddle::Result result = heddle::Explore(options, [] {
    std::thread locals([] {
      assert(number == 42 && zero == 0 && errno == 0);
      first_uses += counted.uses++ == 0;
      number = zero = errno = 7;
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_BLOCK, &all, nullptr);
    });
    std::thread with_key([] {
      assert(!pthread_getspecific(key));
      pthread_setspecific(key, &key);
    });
    std::thread detached([] {
      sigset_t signals;
      pthread_sigmask(SIG_SETMASK, nullptr, &signals);
      assert(!sigismember(&signals, SIGUSR1));
    });
    detached.detach();
    pthread_t exiting;
    pthread_create(&exiting, nullptr, Exits, nullptr);
    void *value;
    pthread_join(exiting, &value);
    assert(value == reinterpret_cast<void *>(7));
    locals.join();
    with_key.join();
  });
  printf("%d executions\n%d first uses, %d destroyed\n%d values of the key destroyed\n%d exits\n",
         int(result.executions), first_uses.load(), destroyed.load(), keys_destroyed.load(),
         exits.load());
}
