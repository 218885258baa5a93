// Fibers on ucontext, with ThreadSanitizer's annotations. A fiber runs until it calls Yield or
// returns; any thread may run it next, if it has synchronised with the one that did so last.
#ifndef FIBER_H
#define FIBER_H

#include <functional>
#include <sanitizer/tsan_interface.h>
#include <ucontext.h>
#include <vector>

class Fiber {
public:
  explicit Fiber(std::function<void()> body, unsigned flags = 0, size_t stack = 128 << 10)
      : body_(std::move(body)), stack_(stack), flags_(flags), fiber_(__tsan_create_fiber(0)) {
    getcontext(&context_);
    context_.uc_stack.ss_sp = stack_.data();
    context_.uc_stack.ss_size = stack;
    const auto self = reinterpret_cast<unsigned long>(this);
    makecontext(&context_, reinterpret_cast<void (*)()>(Run), 2, unsigned(self >> 32),
                unsigned(self));
  }
  ~Fiber() { __tsan_destroy_fiber(fiber_); }
  Fiber(const Fiber &) = delete;

  // Returns when it yields or ends.
  void Resume() {
    caller_fiber_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, flags_);
    swapcontext(&caller_, &context_);
  }
  void Yield() {
    __tsan_switch_to_fiber(caller_fiber_, flags_);
    swapcontext(&context_, &caller_);
  }
  bool ended() const { return ended_; }

private:
  static void Run(unsigned upper, unsigned lower) {
    auto *self = reinterpret_cast<Fiber *>((unsigned long)upper << 32 | lower);
    self->body_();
    self->ended_ = true;
    self->Yield();
  }

  std::function<void()> body_;
  std::vector<char> stack_;
  unsigned flags_;
  bool ended_ = false;
  ucontext_t context_, caller_;
  void *fiber_, *caller_fiber_ = nullptr;
};

#endif // FIBER_H
