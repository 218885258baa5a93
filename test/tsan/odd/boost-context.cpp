// Contexts of boost.context, with annotations: generators that any of two threads goes on with, one of
// which ends. The annotation stands right before the jump: a function that returned in between would
// leave another fiber's stack.
//
// REQUIRES: boost-context
// RUN: %clangxx_heddle %s -o %t -lboost_context
// RUN: %six_modes %t | %FileCheck %s
// RUN: %every_schedule --seeds 1 %t
// CHECK: 30, 1 ended
#include <boost/context/detail/fcontext.hpp>
#include <cstdio>
#include <mutex>
#include <sanitizer/tsan_interface.h>
#include <thread>
#include <vector>

namespace context = boost::context::detail;

static std::mutex mutex;
static int sum, ended;

class Generator {
public:
  explicit Generator(int limit)
      : limit_(limit), stack_(128 << 10), own_(__tsan_create_fiber(0)),
        context_(context::make_fcontext(stack_.data() + stack_.size(), stack_.size(), Run)) {}
  ~Generator() { __tsan_destroy_fiber(own_); }
  int Next() {
    caller_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(own_, 0);
    context_ = context::jump_fcontext(context_, this).fctx;
    return value_;
  }

private:
  static void Run(context::transfer_t from) {
    auto *self = static_cast<Generator *>(from.data);
    self->back_ = from.fctx;
    for (self->value_ = 1; self->value_ < self->limit_; self->value_++)
      self->Yield();
    ended++;
    self->Yield();
  }
  void Yield() {
    __tsan_switch_to_fiber(caller_, 0);
    back_ = context::jump_fcontext(back_, nullptr).fctx;
  }

  int limit_, value_ = 0;
  std::vector<char> stack_;
  void *own_, *caller_ = nullptr;
  context::fcontext_t context_, back_ = nullptr;
};

int main() {
  Generator ends(4), goes_on(100);
  const auto take = [&] {
    for (int i = 0; i < 2; i++) {
      std::lock_guard<std::mutex> lock(mutex);
      sum += ends.Next() + 2 * goes_on.Next();
    }
  };
  std::thread a(take), b(take);
  a.join();
  b.join();
  printf("%d, %d ended\n", sum, ended);
}
