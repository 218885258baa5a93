// The statements of a thread as lines of C or of C++: what the two have in common. How
// they call an atomic operation and name registers is for the emitters to say.
#ifndef HEDDLE_LITMUS_EMIT_THREAD_H
#define HEDDLE_LITMUS_EMIT_THREAD_H

#include "printer.h"

#include <string>
#include <vector>

namespace heddle::litmus {

class ThreadEmitter {
protected:
  // `scope` stands before the names of <atomic> or <stdatomic.h>.
  ThreadEmitter(const Program &program, int number, const char *scope, std::string *text)
      : program_(program), number_(number), thread_(program.threads[number]), scope_(scope),
        text_(text) {}
  ~ThreadEmitter() = default;

  virtual std::string Print(const Expression &expression) const = 0;
  // The argument of a compare-exchange that gets what was there.
  virtual std::string Expected(int register_index) const = 0;
  virtual std::string Call(const Statement &s, const std::string &arguments) const = 0;
  // Puts a value into the statement's register, if it has one.
  virtual void EmitResult(const Statement &s, const std::string &value) = 0;

  void Emit(const Statement &s) {
    switch (s.kind) {
    case Statement::Kind::kLoad:
      return EmitResult(s, Call(s, MemoryOrder(s.order)));
    case Statement::Kind::kStore:
      return Line(Call(s, Print(s.value) + ", " + MemoryOrder(s.order)) + ";");
    case Statement::Kind::kRmw:
      return EmitResult(s, Call(s, Print(s.value) + ", " + MemoryOrder(s.order)));
    case Statement::Kind::kCompareExchange:
      return EmitResult(s, Call(s, Expected(s.expected) + ", " + Print(s.value) + ", " +
                                       MemoryOrder(s.order) + ", " + MemoryOrder(s.failure_order)));
    case Statement::Kind::kFence:
      return Line(scope_ + "atomic_thread_fence(" + MemoryOrder(s.order) + ");");
    case Statement::Kind::kMembarrier:
      return Line("Membarrier();");
    case Statement::Kind::kAssign:
      return EmitResult(s, Print(s.value));
    case Statement::Kind::kIf:
      Line("if (" + Print(s.value) + ") {");
      EmitBody(s.then_body);
      if (!s.else_body.empty()) {
        Line("} else {");
        EmitBody(s.else_body);
      }
      return Line("}");
    }
  }
  void Line(const std::string &line) { *text_ += std::string(2 * depth_, ' ') + line + "\n"; }

  const Program &program_;
  const int number_;
  const Thread &thread_;
  int depth_ = 0;

private:
  std::string MemoryOrder(Order order) const {
    return scope_ + "memory_order_" + std::string(OrderText(order));
  }
  void EmitBody(const std::vector<Statement> &body) {
    depth_++;
    for (const Statement &statement : body)
      Emit(statement);
    depth_--;
  }

  const std::string scope_;
  std::string *text_;
};

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_EMIT_THREAD_H
