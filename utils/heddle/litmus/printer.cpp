#include "printer.h"

#include "lexer.h"

#include <algorithm>
#include <cstdio>

namespace heddle::litmus {
namespace {

// Above all of kBinaryOperators.
constexpr int kUnaryPrecedence = 10;

const BinaryOperator *FindOperator(Expression::Kind kind) {
  for (const BinaryOperator &candidate : kBinaryOperators)
    if (candidate.kind == kind)
      return &candidate;
  return nullptr;
}

// Puts parentheses where the operand binds less tightly than `precedence`.
void AppendExpression(const Expression &expression, const Thread &thread, int precedence,
                      std::string *text) {
  using Kind = Expression::Kind;
  switch (expression.kind) {
  case Kind::kConstant:
    *text += std::to_string(expression.constant);
    return;
  case Kind::kRegister:
    *text += thread.registers[expression.register_index];
    return;
  case Kind::kNegate:
  case Kind::kNot:
  case Kind::kComplement: {
    *text += expression.kind == Kind::kNegate ? '-' : expression.kind == Kind::kNot ? '!' : '~';
    // "-1" is a constant and "--r0" another operator: both need parentheses.
    bool guard = expression.kind == Kind::kNegate && (expression.left->kind == Kind::kConstant ||
                                                      expression.left->kind == Kind::kNegate);
    if (guard)
      *text += '(';
    AppendExpression(*expression.left, thread, guard ? 0 : kUnaryPrecedence, text);
    if (guard)
      *text += ')';
    return;
  }
  default:
    break;
  }
  const BinaryOperator *operation = FindOperator(expression.kind);
  if (operation->precedence < precedence)
    *text += '(';
  AppendExpression(*expression.left, thread, operation->precedence, text);
  *text += " " + std::string(operation->text) + " ";
  AppendExpression(*expression.right, thread, operation->precedence + 1, text);
  if (operation->precedence < precedence)
    *text += ')';
}

void AppendOrder(Order order, std::string *text) {
  *text += "memory_order_";
  *text += OrderText(order);
}

bool HasValue(const Statement &statement) {
  return statement.kind != Statement::Kind::kLoad && statement.kind != Statement::Kind::kFence &&
         statement.kind != Statement::Kind::kMembarrier;
}

// Calls `visit` with each register of an expression, a statement and what is
// inside.
template <class Visitor> void VisitRegisters(const Expression &expression, Visitor visit) {
  if (expression.kind == Expression::Kind::kRegister)
    visit(expression.register_index);
  if (expression.left)
    VisitRegisters(*expression.left, visit);
  if (expression.right)
    VisitRegisters(*expression.right, visit);
}

template <class Visitor> void VisitOperands(const Statement &statement, Visitor visit) {
  if (HasValue(statement))
    VisitRegisters(statement.value, visit);
  if (statement.kind == Statement::Kind::kCompareExchange)
    visit(statement.expected);
  for (const std::vector<Statement> *body : {&statement.then_body, &statement.else_body})
    for (const Statement &inner : *body) {
      if (inner.target >= 0)
        visit(inner.target);
      VisitOperands(inner, visit);
    }
}

void VisitLocations(const std::vector<Statement> &body, std::vector<bool> *used) {
  for (const Statement &statement : body) {
    if (statement.location >= 0)
      (*used)[statement.location] = true;
    VisitLocations(statement.then_body, used);
    VisitLocations(statement.else_body, used);
  }
}

class ThreadPrinter {
public:
  ThreadPrinter(const Program &program, size_t number, std::string *text)
      : program_(program), thread_(program.threads[number]), number_(number), text_(text) {}

  void Print() {
    PrintParameters();
    for (const Statement &statement : thread_.body) {
      bool declares = DeclareFor(statement);
      PrintStatement(statement, declares, 1);
    }
    // A register that nothing uses has to be declared all the same.
    DeclareUpTo(static_cast<int>(thread_.registers.size()));
    *text_ += "}\n";
  }

private:
  void PrintParameters() {
    std::vector<bool> used(program_.locations.size());
    VisitLocations(thread_.body, &used);
    *text_ += "P" + std::to_string(number_) + "(";
    const char *separator = "";
    for (size_t i = 0; i < used.size(); i++)
      if (used[i]) {
        *text_ += separator + ("atomic_int *" + program_.locations[i].name);
        separator = ", ";
      }
    *text_ += ") {\n";
  }

  void DeclareUpTo(int end) {
    if (declared_ >= end)
      return;
    *text_ += "  int ";
    for (const char *separator = ""; declared_ < end; declared_++) {
      *text_ += separator + thread_.registers[declared_];
      separator = ", ";
    }
    *text_ += ";\n";
  }

  // Declares what the statement uses, in the order of the registers. Returns
  // whether the statement itself is to declare its target: "int r0 = ...".
  bool DeclareFor(const Statement &statement) {
    int needed = -1;
    VisitOperands(statement, [&](int index) { needed = std::max(needed, index); });
    int target = statement.target;
    if (target >= declared_ && target > needed) {
      DeclareUpTo(target);
      declared_++;
      return true;
    }
    DeclareUpTo(std::max(needed, target) + 1);
    return false;
  }

  void PrintStatement(const Statement &statement, bool declares, int depth) {
    text_->append(depth * 2, ' ');
    if (statement.kind == Statement::Kind::kIf) {
      PrintIf(statement, depth);
      return;
    }
    if (statement.target >= 0)
      *text_ += (declares ? "int " : "") + thread_.registers[statement.target] + " = ";
    if (statement.kind == Statement::Kind::kAssign) {
      AppendExpression(statement.value, thread_, 0, text_);
      *text_ += ";\n";
      return;
    }
    *text_ += FunctionName(statement);
    if (statement.kind == Statement::Kind::kMembarrier) {
      *text_ += "();\n";
      return;
    }
    if (statement.kind == Statement::Kind::kFence) {
      *text_ += "(";
    } else {
      *text_ += kExplicit;
      *text_ += "(" + program_.locations[statement.location].name + ", ";
    }
    if (statement.kind == Statement::Kind::kCompareExchange)
      *text_ += "&" + thread_.registers[statement.expected] + ", ";
    if (HasValue(statement)) {
      AppendExpression(statement.value, thread_, 0, text_);
      *text_ += ", ";
    }
    AppendOrder(statement.order, text_);
    if (statement.kind == Statement::Kind::kCompareExchange) {
      *text_ += ", ";
      AppendOrder(statement.failure_order, text_);
    }
    *text_ += ");\n";
  }

  void PrintIf(const Statement &statement, int depth) {
    *text_ += "if (";
    AppendExpression(statement.value, thread_, 0, text_);
    *text_ += ") {\n";
    for (const Statement &inner : statement.then_body)
      PrintStatement(inner, false, depth + 1);
    text_->append(depth * 2, ' ');
    if (!statement.else_body.empty()) {
      *text_ += "} else {\n";
      for (const Statement &inner : statement.else_body)
        PrintStatement(inner, false, depth + 1);
      text_->append(depth * 2, ' ');
    }
    *text_ += "}\n";
  }

  const Program &program_;
  const Thread &thread_;
  size_t number_;
  int declared_ = 0; // the registers below are
  std::string *text_;
};

void AppendObservable(const Program &program, const Observable &observable, std::string *text) {
  if (observable.thread < 0)
    *text += program.locations[observable.index].name;
  else
    *text += std::to_string(observable.thread) + ":" +
             program.threads[observable.thread].registers[observable.index];
}

// A number, or the name of the location whose address it is.
std::string ValueText(const Program &program, Value value) {
  for (size_t i = 0; i < program.addresses.size(); i++)
    if (program.addresses[i] == value)
      return program.locations[i].name;
  return std::to_string(value);
}

// 1: \/, 2: /\, 3: =>. Parentheses as for expressions.
void AppendProposition(const Program &program, const Proposition &proposition, int precedence,
                       std::string *text) {
  using Kind = Proposition::Kind;
  auto chain = [&](int own, std::string_view separator) {
    if (own < precedence)
      *text += '(';
    for (size_t i = 0; i < proposition.operands.size(); i++) {
      if (i > 0)
        *text += separator;
      // Only => associates, to the right. A chain inside a chain of its own kind
      // keeps its parentheses.
      bool last_implied = own == 3 && i == 1;
      AppendProposition(program, proposition.operands[i], last_implied ? own : own + 1, text);
    }
    if (own < precedence)
      *text += ')';
  };
  switch (proposition.kind) {
  case Kind::kTrue:
    *text += "true";
    return;
  case Kind::kFalse:
    *text += "false";
    return;
  case Kind::kEquals:
    AppendObservable(program, proposition.observable, text);
    *text += "=" + ValueText(program, proposition.constant);
    return;
  case Kind::kSame:
    AppendObservable(program, proposition.observable, text);
    // A location's name alone would be its address.
    *text += proposition.other.thread < 0 ? "=[" : "=";
    AppendObservable(program, proposition.other, text);
    *text += proposition.other.thread < 0 ? "]" : "";
    return;
  case Kind::kNot: {
    // A chain of these must not become deeper than it was.
    bool chained = proposition.operands[0].kind == Kind::kNot;
    *text += chained ? "not " : "not (";
    AppendProposition(program, proposition.operands[0], 0, text);
    *text += chained ? "" : ")";
    return;
  }
  case Kind::kAnd:
    return chain(2, " /\\ ");
  case Kind::kOr:
    return chain(1, " \\/ ");
  case Kind::kImplies:
    return chain(3, " => ");
  }
}

void CountNamed(const Proposition &proposition, const Program &program, std::vector<bool> *named) {
  auto count = [&](const Observable &observable) {
    auto at = std::find(program.observed.begin(), program.observed.end(), observable);
    if (at != program.observed.end())
      (*named)[at - program.observed.begin()] = true;
  };
  using Kind = Proposition::Kind;
  if (proposition.kind == Kind::kEquals || proposition.kind == Kind::kSame)
    count(proposition.observable);
  if (proposition.kind == Kind::kSame)
    count(proposition.other);
  for (const Proposition &operand : proposition.operands)
    CountNamed(operand, program, named);
}

// How many executions satisfy the condition's proposition, and how many do not.
// A state that is there counts, even if its maker did not count executions.
struct Witnesses {
  Witnesses(const Program &program, const Outcome &outcome) {
    for (const auto &[state, count] : outcome.states)
      (Holds(program.condition, program, state) ? positive : negative) +=
          std::max<uint64_t>(count, 1);
  }
  uint64_t positive = 0, negative = 0;
};

bool IsValidated(Quantifier quantifier, const Witnesses &witnesses) {
  switch (quantifier) {
  case Quantifier::kExists:
    return witnesses.positive > 0;
  case Quantifier::kNotExists:
    return witnesses.positive == 0;
  case Quantifier::kForall:
    return witnesses.negative == 0;
  }
  return false;
}

const char *QuantifierText(Quantifier quantifier) {
  switch (quantifier) {
  case Quantifier::kExists:
    return "exists";
  case Quantifier::kNotExists:
    return "~exists";
  case Quantifier::kForall:
    return "forall";
  }
  return "";
}

const char *TestKind(Quantifier quantifier) {
  switch (quantifier) {
  case Quantifier::kExists:
    return "Allowed";
  case Quantifier::kNotExists:
    return "Forbidden";
  case Quantifier::kForall:
    return "Required";
  }
  return "";
}

bool Same(const Expression &a, const Expression &b) {
  if (a.kind != b.kind)
    return false;
  switch (a.kind) {
  case Expression::Kind::kConstant:
    return a.constant == b.constant;
  case Expression::Kind::kRegister:
    return a.register_index == b.register_index;
  case Expression::Kind::kNegate:
  case Expression::Kind::kNot:
  case Expression::Kind::kComplement:
    return Same(*a.left, *b.left);
  default:
    return Same(*a.left, *b.left) && Same(*a.right, *b.right);
  }
}

bool Same(const Statement &a, const Statement &b);
bool Same(const Proposition &a, const Proposition &b);
bool Same(const Location &a, const Location &b);
bool Same(const Thread &a, const Thread &b);

template <class T> bool Same(const std::vector<T> &a, const std::vector<T> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const T &left, const T &right) { return Same(left, right); });
}

bool Same(const Statement &a, const Statement &b) {
  using Kind = Statement::Kind;
  if (a.kind != b.kind)
    return false;
  bool same_access = a.location == b.location && a.order == b.order;
  switch (a.kind) {
  case Kind::kLoad:
    return same_access && a.target == b.target;
  case Kind::kStore:
    return same_access && Same(a.value, b.value);
  case Kind::kRmw:
    return same_access && a.target == b.target && a.operation == b.operation &&
           Same(a.value, b.value);
  case Kind::kCompareExchange:
    return same_access && a.target == b.target && a.failure_order == b.failure_order &&
           a.weak == b.weak && a.expected == b.expected && Same(a.value, b.value);
  case Kind::kFence:
    return a.order == b.order;
  case Kind::kMembarrier:
    return true;
  case Kind::kAssign:
    return a.target == b.target && Same(a.value, b.value);
  case Kind::kIf:
    return Same(a.value, b.value) && Same(a.then_body, b.then_body) &&
           Same(a.else_body, b.else_body);
  }
  return false;
}

bool Same(const Proposition &a, const Proposition &b) {
  if (a.kind != b.kind || !Same(a.operands, b.operands))
    return false;
  if (a.kind == Proposition::Kind::kSame)
    return a.observable == b.observable && a.other == b.other;
  return a.kind != Proposition::Kind::kEquals ||
         (a.observable == b.observable && a.constant == b.constant);
}

bool Same(const Location &a, const Location &b) {
  return a.name == b.name && a.initial == b.initial;
}

bool Same(const Thread &a, const Thread &b) {
  return a.registers == b.registers && Same(a.body, b.body);
}

} // namespace

std::string PrintProgram(const Program &program) {
  std::string text = "C " + program.name + "\n{\n";
  for (const Location &location : program.locations)
    text += "  " + location.name + " = " + std::to_string(location.initial) + ";\n";
  text += "}\n\n";
  for (size_t i = 0; i < program.threads.size(); i++) {
    ThreadPrinter(program, i, &text).Print();
    text += "\n";
  }
  std::vector<bool> named(program.observed.size());
  CountNamed(program.condition, program, &named);
  CountNamed(program.filter, program, &named);
  if (std::find(named.begin(), named.end(), false) != named.end()) {
    text += "locations [";
    const char *separator = "";
    for (size_t i = 0; i < named.size(); i++)
      if (!named[i]) {
        text += separator;
        AppendObservable(program, program.observed[i], &text);
        text += ";";
        separator = " ";
      }
    text += "]\n";
  }
  if (program.filter.kind != Proposition::Kind::kTrue) {
    text += "filter (";
    AppendProposition(program, program.filter, 0, &text);
    text += ")\n";
  }
  return text + PrintCondition(program) + "\n";
}

std::string PrintExpression(const Expression &expression, const Thread &thread) {
  std::string text;
  AppendExpression(expression, thread, 0, &text);
  return text;
}

std::string_view OrderText(Order order) {
  for (const OrderName &candidate : kOrderNames)
    if (candidate.order == order)
      return candidate.name;
  return {};
}

std::string_view FunctionName(const Statement &statement) {
  for (const Function &function : kFunctions)
    if (function.kind == statement.kind &&
        (function.kind != Statement::Kind::kRmw || function.operation == statement.operation) &&
        (function.kind != Statement::Kind::kCompareExchange || function.weak == statement.weak))
      return function.name;
  return {};
}

std::string PrintObservable(const Program &program, const Observable &observable) {
  std::string text;
  AppendObservable(program, observable, &text);
  return text;
}

std::string PrintCondition(const Program &program) {
  std::string text = QuantifierText(program.quantifier);
  text += " (";
  AppendProposition(program, program.condition, 0, &text);
  return text + ")";
}

std::string FormatState(const Program &program, const State &state) {
  std::string text;
  for (size_t i = 0; i < program.observed.size(); i++) {
    if (i > 0)
      text += " ";
    AppendObservable(program, program.observed[i], &text);
    text += "=" + ValueText(program, state[i]) + ";";
  }
  return text;
}

std::string PrintResult(const Program &program, const Outcome &outcome, std::string_view model) {
  std::string text = "Test " + program.name + " " + TestKind(program.quantifier) + "\nStates " +
                     std::to_string(outcome.states.size()) + "\n";
  for (const auto &[state, count] : outcome.states) {
    std::string number = std::to_string(count);
    number.resize(std::max<size_t>(number.size(), 6), ' ');
    text += number + (Holds(program.condition, program, state) ? "*>" : ":>") +
            FormatState(program, state) + "\n";
  }
  Witnesses found(program, outcome);
  Witnesses witnesses = found;
  if (program.quantifier == Quantifier::kNotExists)
    std::swap(witnesses.positive, witnesses.negative);
  text += IsValidated(program.quantifier, found) ? "Ok\n" : "No\n";
  text += "Witnesses\nPositive: " + std::to_string(witnesses.positive) +
          " Negative: " + std::to_string(witnesses.negative) + "\n";
  text += "Condition " + PrintCondition(program) + "\n";
  text += "Observation " + program.name + " " +
          (found.positive == 0   ? "Never"
           : found.negative == 0 ? "Always"
                                 : "Sometimes") +
          " " + std::to_string(found.positive) + " " + std::to_string(found.negative) + "\n";
  text += "Model " + std::string(model) + "\n";
  return text;
}

bool IsValidated(const Program &program, const Outcome &outcome) {
  return IsValidated(program.quantifier, Witnesses(program, outcome));
}

std::string PrintExpectation(const Program &program, const Expectation &expectation) {
  std::string text = "(* expect";
  for (const std::string &model : expectation.models)
    text += " " + model;
  size_t count = expectation.states.size();
  text += ": " + std::to_string(count) + (count == 1 ? " state\n" : " states\n");
  for (const State &state : expectation.states)
    text += "   " + FormatState(program, state) + "\n";
  return text + "*)\n";
}

bool SameProgram(const Program &a, const Program &b) {
  return a.name == b.name && Same(a.locations, b.locations) && Same(a.threads, b.threads) &&
         a.quantifier == b.quantifier && Same(a.condition, b.condition) &&
         Same(a.filter, b.filter) && a.observed == b.observed;
}

} // namespace heddle::litmus
