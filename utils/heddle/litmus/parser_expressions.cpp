// Expressions. An operation inside one becomes a statement of its own in front of
// the statement that the expression belongs to, and the expression uses its result:
// an Expression only computes with registers.
#include "parser_threads.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace heddle::litmus {

bool ThreadParser::ParseValue(Expression *value, bool *operation) {
  bool outer_has_operation = std::exchange(has_operation_, false);
  bool outer_is_conditional = std::exchange(is_conditional_, false);
  int height = 0;
  if (!ParseBinary(1, value, &height))
    return false;
  if (operation)
    *operation = has_operation_ && value->kind == Expression::Kind::kRegister &&
                 value->register_index == body_->back().target;
  has_operation_ = outer_has_operation;
  is_conditional_ = outer_is_conditional;
  return true;
}

bool ThreadParser::ParseBinary(int precedence, Expression *expression, int *height) {
  if (!ParseUnary(expression, height))
    return false;
  for (;;) {
    const BinaryOperator *found = nullptr;
    for (const BinaryOperator &candidate : kBinaryOperators)
      if (candidate.precedence >= precedence && Is(candidate.text))
        found = &candidate;
    if (!found)
      return true;
    Position position = token_.position;
    Advance();
    bool outer_is_conditional = is_conditional_;
    is_conditional_ |=
        found->kind == Expression::Kind::kLogicalAnd || found->kind == Expression::Kind::kLogicalOr;
    Expression right;
    int right_height = 0;
    if (!ParseBinary(found->precedence + 1, &right, &right_height))
      return false;
    is_conditional_ = outer_is_conditional;
    // A long chain is a deep tree, although it was read in a loop.
    *height = std::max(*height, right_height) + 1;
    if (*height > ParseLimits::kDepth)
      return FailDepth(position);
    Expression binary;
    binary.kind = found->kind;
    binary.left = std::make_shared<const Expression>(std::move(*expression));
    binary.right = std::make_shared<const Expression>(std::move(right));
    *expression = std::move(binary);
  }
}

bool ThreadParser::ParseUnary(Expression *expression, int *height) {
  Nesting nesting(this);
  if (!nesting.Check())
    return false;
  Position position = token_.position;
  if (Accept("+"))
    return ParseUnary(expression, height);
  Expression unary;
  if (Accept("-")) {
    if (token_.kind == TokenKind::kNumber) {
      *height = 1;
      return ParseDigits(true, &expression->constant);
    }
    unary.kind = Expression::Kind::kNegate;
  } else if (Accept("!")) {
    unary.kind = Expression::Kind::kNot;
  } else if (Accept("~")) {
    unary.kind = Expression::Kind::kComplement;
  } else {
    return ParsePrimary(expression, height);
  }
  Expression operand;
  if (!ParseUnary(&operand, height))
    return false;
  if (++*height > ParseLimits::kDepth)
    return FailDepth(position);
  unary.left = std::make_shared<const Expression>(std::move(operand));
  *expression = std::move(unary);
  return true;
}

bool ThreadParser::ParsePrimary(Expression *expression, int *height) {
  *height = 1;
  if (token_.kind == TokenKind::kNumber)
    return ParseDigits(false, &expression->constant);
  if (Accept("(")) {
    if (IsType())
      return Fail(token_.position, "casts are not supported");
    return ParseBinary(1, expression, height) && Expect(")");
  }
  Position position = token_.position;
  if (Accept("*")) {
    Statement load;
    load.kind = Kind::kLoad;
    load.position = position;
    Token name = token_;
    if (!CheckOperationAllowed(position) || !ParseLocation(&load.location))
      return false;
    if (!names_.parameters.find(name.text)->second.atomic)
      return Fail(position, "'*' on " + Quote(name.text) +
                                " is a plain access: declare it as 'atomic_int *'");
    return AddOperation(std::move(load), expression);
  }
  if (Is("&"))
    return Fail(position, "addresses are not supported, except that of a compare-exchange's "
                          "expected value");
  Token name;
  if (!ExpectName("an expression", &name))
    return false;
  if (!Is("(")) {
    expression->kind = Expression::Kind::kRegister;
    return UseRegister(name, &expression->register_index);
  }
  Statement statement;
  if (!CheckOperationAllowed(position) || !ParseCall(name, &statement))
    return false;
  if (statement.kind == Kind::kStore || statement.kind == Kind::kFence ||
      statement.kind == Kind::kMembarrier)
    return Fail(position, Quote(name.text) + " has no value");
  return AddOperation(std::move(statement), expression);
}

bool ThreadParser::CheckOperationAllowed(Position position) {
  if (is_conditional_)
    return Fail(position, "an atomic operation on the right of '&&' or '||' is not supported; use "
                          "'if'");
  if (has_operation_)
    return Fail(position, "two atomic operations in one expression: C does not say which comes "
                          "first; give each a register");
  return true;
}

bool ThreadParser::AddOperation(Statement statement, Expression *result) {
  has_operation_ = true;
  statement.target = AddHiddenRegister();
  result->kind = Expression::Kind::kRegister;
  result->register_index = statement.target;
  return AddStatement(std::move(statement));
}

} // namespace heddle::litmus
