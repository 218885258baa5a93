// Litmus programs as C++ expressions, for tests. Registers and locations are
// numbers; the names they get are r0, r1... and x, y, z.
#ifndef HEDDLE_TEST_LITMUS_BUILDERS_H
#define HEDDLE_TEST_LITMUS_BUILDERS_H

#include "heddle/litmus/program.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace heddle::litmus::build {

constexpr Order kRlx = Order::kRelaxed, kAcq = Order::kAcquire, kRel = Order::kRelease,
                kAcqRel = Order::kAcqRel, kSc = Order::kSeqCst;
constexpr int kX = 0, kY = 1, kZ = 2;

inline Expression Constant(Value value) {
  Expression expression;
  expression.constant = value;
  return expression;
}

inline Expression Register(int index) {
  Expression expression;
  expression.kind = Expression::Kind::kRegister;
  expression.register_index = index;
  return expression;
}

inline Expression Binary(Expression::Kind kind, Expression left, Expression right) {
  Expression expression;
  expression.kind = kind;
  expression.left = std::make_shared<Expression>(std::move(left));
  expression.right = std::make_shared<Expression>(std::move(right));
  return expression;
}

inline Statement Load(int target, int location, Order order) {
  Statement statement;
  statement.kind = Statement::Kind::kLoad;
  statement.target = target;
  statement.location = location;
  statement.order = order;
  return statement;
}

inline Statement Store(int location, Expression value, Order order) {
  Statement statement;
  statement.kind = Statement::Kind::kStore;
  statement.location = location;
  statement.value = std::move(value);
  statement.order = order;
  return statement;
}
inline Statement Store(int location, Value value, Order order) {
  return Store(location, Constant(value), order);
}

inline Statement Rmw(int target, int location, RmwOperation operation, Expression value,
                     Order order) {
  Statement statement;
  statement.kind = Statement::Kind::kRmw;
  statement.target = target;
  statement.location = location;
  statement.operation = operation;
  statement.value = std::move(value);
  statement.order = order;
  return statement;
}
inline Statement FetchAdd(int target, int location, Value value, Order order) {
  return Rmw(target, location, RmwOperation::kAdd, Constant(value), order);
}
inline Statement Exchange(int target, int location, Value value, Order order) {
  return Rmw(target, location, RmwOperation::kExchange, Constant(value), order);
}

// target = compare_exchange(location, &expected, value).
inline Statement CompareExchange(int target, int location, int expected, Expression value,
                                 Order order, Order failure_order, bool weak = false) {
  Statement statement;
  statement.kind = Statement::Kind::kCompareExchange;
  statement.target = target;
  statement.location = location;
  statement.expected = expected;
  statement.value = std::move(value);
  statement.order = order;
  statement.failure_order = failure_order;
  statement.weak = weak;
  return statement;
}

inline Statement Fence(Order order) {
  Statement statement;
  statement.kind = Statement::Kind::kFence;
  statement.order = order;
  return statement;
}

inline Statement Assign(int target, Expression value) {
  Statement statement;
  statement.kind = Statement::Kind::kAssign;
  statement.target = target;
  statement.value = std::move(value);
  return statement;
}

inline Statement If(Expression condition, std::vector<Statement> then_body,
                    std::vector<Statement> else_body = {}) {
  Statement statement;
  statement.kind = Statement::Kind::kIf;
  statement.value = std::move(condition);
  statement.then_body = std::move(then_body);
  statement.else_body = std::move(else_body);
  return statement;
}

using Body = std::vector<Statement>;

inline void CountNames(const Body &body, int *registers, int *locations) {
  for (const Statement &statement : body) {
    *registers = std::max({*registers, statement.target + 1, statement.expected + 1});
    *locations = std::max(*locations, statement.location + 1);
    CountNames(statement.then_body, registers, locations);
    CountNames(statement.else_body, registers, locations);
  }
}

// A program of these threads, all locations 0 at first. A register or location
// exists if a statement has it as target or location. All registers are
// observed, thread by thread, and then, if asked for, all locations.
inline Program MakeProgram(std::vector<Body> threads, bool observe_locations = false) {
  Program program;
  int locations = 0;
  for (Body &body : threads) {
    int registers = 0;
    CountNames(body, &registers, &locations);
    Thread thread;
    for (int r = 0; r < registers; r++)
      thread.registers.push_back("r" + std::to_string(r));
    thread.body = std::move(body);
    program.threads.push_back(std::move(thread));
  }
  for (int l = 0; l < locations; l++)
    program.locations.push_back({std::string(1, "xyzabc"[l % 6]), 0});
  ObserveAll(&program);
  if (!observe_locations)
    program.observed.resize(program.observed.size() - program.locations.size());
  return program;
}

} // namespace heddle::litmus::build

#endif // HEDDLE_TEST_LITMUS_BUILDERS_H
