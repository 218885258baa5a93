#include "program.h"

#include <algorithm>

namespace heddle::litmus {

Value Evaluate(const Expression &expression, const std::vector<Value> &registers) {
  using Kind = Expression::Kind;
  // Signed overflow wraps around.
  auto left = [&] { return static_cast<uint64_t>(Evaluate(*expression.left, registers)); };
  auto right = [&] { return static_cast<uint64_t>(Evaluate(*expression.right, registers)); };
  auto signed_left = [&] { return Evaluate(*expression.left, registers); };
  auto signed_right = [&] { return Evaluate(*expression.right, registers); };
  switch (expression.kind) {
  case Kind::kConstant:
    return expression.constant;
  case Kind::kRegister:
    return registers[expression.register_index];
  case Kind::kNegate:
    return 0 - left();
  case Kind::kNot:
    return !left();
  case Kind::kComplement:
    return ~left();
  case Kind::kAdd:
    return left() + right();
  case Kind::kSubtract:
    return left() - right();
  case Kind::kMultiply:
    return left() * right();
  case Kind::kAnd:
    return left() & right();
  case Kind::kOr:
    return left() | right();
  case Kind::kXor:
    return left() ^ right();
  case Kind::kEqual:
    return left() == right();
  case Kind::kNotEqual:
    return left() != right();
  case Kind::kLess:
    return signed_left() < signed_right();
  case Kind::kLessEqual:
    return signed_left() <= signed_right();
  case Kind::kGreater:
    return signed_left() > signed_right();
  case Kind::kGreaterEqual:
    return signed_left() >= signed_right();
  case Kind::kLogicalAnd:
    return left() && right();
  case Kind::kLogicalOr:
    return left() || right();
  }
  return 0;
}

Value Apply(RmwOperation operation, Value old, Value operand) {
  uint64_t a = old, b = operand;
  switch (operation) {
  case RmwOperation::kExchange:
    return operand;
  case RmwOperation::kAdd:
    return a + b;
  case RmwOperation::kSub:
    return a - b;
  case RmwOperation::kAnd:
    return a & b;
  case RmwOperation::kOr:
    return a | b;
  case RmwOperation::kXor:
    return a ^ b;
  }
  return operand;
}

bool Holds(const Proposition &proposition, const Program &program, const State &state) {
  using Kind = Proposition::Kind;
  auto holds = [&](const Proposition &operand) { return Holds(operand, program, state); };
  auto value = [&](const Observable &observable) {
    auto at = std::find(program.observed.begin(), program.observed.end(), observable);
    return state[at - program.observed.begin()];
  };
  const auto &operands = proposition.operands;
  switch (proposition.kind) {
  case Kind::kTrue:
    return true;
  case Kind::kFalse:
    return false;
  case Kind::kEquals:
    return value(proposition.observable) == proposition.constant;
  case Kind::kSame:
    return value(proposition.observable) == value(proposition.other);
  case Kind::kNot:
    return !holds(operands[0]);
  case Kind::kAnd:
    return std::all_of(operands.begin(), operands.end(), holds);
  case Kind::kOr:
    return std::any_of(operands.begin(), operands.end(), holds);
  case Kind::kImplies:
    return !holds(operands[0]) || holds(operands[1]);
  }
  return false;
}

void ApplyFilter(const Program &program, Outcome *outcome) {
  for (auto state = outcome->states.begin(); state != outcome->states.end();)
    if (Holds(program.filter, program, state->first))
      ++state;
    else
      state = outcome->states.erase(state);
}

void ObserveAll(Program *program) {
  program->observed.clear();
  for (size_t t = 0; t < program->threads.size(); t++)
    for (size_t r = 0; r < program->threads[t].registers.size(); r++)
      program->observed.push_back({static_cast<int>(t), static_cast<int>(r)});
  for (size_t l = 0; l < program->locations.size(); l++)
    program->observed.push_back({-1, static_cast<int>(l)});
}

bool HasMembarrier(const std::vector<Statement> &body) {
  for (const Statement &statement : body)
    if (statement.kind == Statement::Kind::kMembarrier || HasMembarrier(statement.then_body) ||
        HasMembarrier(statement.else_body))
      return true;
  return false;
}

bool HasMembarrier(const Program &program) {
  for (const Thread &thread : program.threads)
    if (HasMembarrier(thread.body))
      return true;
  return false;
}

} // namespace heddle::litmus
