// Values for synthesised tests.
//
// Every write of a location writes a value of its own, also a read-modify-write,
// whatever it reads; so registers tell rf, and the final value tells mo where there
// are two plain writes or fewer. With w plain writes of the location:
//
//   function                | initial | plain writes    | operand of the n-th RMW
//   no RMW, exchange        | 0       | 1, 2, ... w     | w + 1 + n
//   fetch_add, fetch_sub    | 0       | 1, 2, ... w     | w + 1, then twice that and 1
//   fetch_or, fetch_xor     | 0       | 1, 2, ... w     | 2^k << n, where 2^k > w
//   fetch_and               | 2^u - 1 | 2^(u + i) - 1   | all bits but the n-th
//   compare_exchange_strong | 0       | 1, 2, ... w     | w + 1 + n
//
// u being the number of read-modify-writes. These are the values of Table 1 of the
// thesis that this follows but for fetch_or and fetch_xor, where they are not always
// unique: with three plain writes the operand would be 6, and 6 | 2 is 6 | 0.
//
// A compare-exchange expects the value that it finds in the forbidden execution, so
// that it succeeds there. Where it finds another one it fails and is a load, with the
// strongest failure order that the success order permits. The register that holds the
// expected value has the value found in both cases, and another one tells which case
// it was.
#include "allowed.h"
#include "generator_parts.h"
#include "synth.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::litmus {
namespace {

using Kind = WholeExecution::Kind;

enum class Function { kNone, kExchange, kAdd, kSub, kOr, kXor, kAnd, kCompareExchange };

struct FunctionTraits {
  Function function;
  const char *name;
  RmwOperation operation;
};
constexpr FunctionTraits kFunctions[] = {
    {Function::kExchange, "exchange", RmwOperation::kExchange},
    {Function::kAdd, "fetch_add", RmwOperation::kAdd},
    {Function::kSub, "fetch_sub", RmwOperation::kSub},
    {Function::kOr, "fetch_or", RmwOperation::kOr},
    {Function::kXor, "fetch_xor", RmwOperation::kXor},
    {Function::kAnd, "fetch_and", RmwOperation::kAnd},
    {Function::kCompareExchange, "compare_exchange", RmwOperation::kExchange},
};

RmwOperation OperationOf(Function function) {
  for (const FunctionTraits &traits : kFunctions)
    if (traits.function == function)
      return traits.operation;
  return RmwOperation::kExchange;
}

Order FailureOrder(Order order) {
  return order == Order::kAcqRel    ? Order::kAcquire
         : order == Order::kRelease ? Order::kRelaxed
                                    : order;
}

// Makes the program of a test for one function.
class Builder {
public:
  Builder(const SynthesisedTest &test, Function function) : test_(test), function_(function) {
    for (const auto &thread : test.threads)
      for (const SynthesisedTest::Event &event : thread)
        events_.push_back(&event);
    size_t locations = test.forbidden.front().mo.size();
    initial_.resize(locations);
    operand_.resize(events_.size());
    for (size_t location = 0; location < locations; location++)
      SetValues(static_cast<int>(location));
  }

  // The value that each event has read in an execution; for writes that do not read,
  // what they write.
  std::vector<Value> ValuesIn(const SynthesisedTest::Forbidden &forbidden) const {
    std::vector<Value> values(events_.size());
    for (size_t e = 0; e < events_.size(); e++)
      if (events_[e]->kind != Kind::kFence)
        values[e] = events_[e]->kind == Kind::kWrite ? operand_[e]
                                                     : Read(forbidden, static_cast<int>(e), 0);
    return values;
  }

  // What the compare-exchanges find; nothing for other functions.
  std::vector<Value> Expected(const SynthesisedTest::Forbidden &forbidden) const {
    std::vector<Value> expected;
    if (function_ == Function::kCompareExchange)
      for (size_t e = 0; e < events_.size(); e++)
        if (events_[e]->kind == Kind::kRmw)
          expected.push_back(Read(forbidden, static_cast<int>(e), 0));
    return expected;
  }

  // With the condition that one of these executions happened. All have the same
  // Expected.
  Program Build(const std::vector<const SynthesisedTest::Forbidden *> &executions,
                bool with_observers) const;

private:
  void SetValues(int location);
  Value Read(const SynthesisedTest::Forbidden &forbidden, int read, size_t depth) const;
  Value Written(const SynthesisedTest::Forbidden &forbidden, int write, size_t depth) const;

  const SynthesisedTest &test_;
  const Function function_;
  std::vector<const SynthesisedTest::Event *> events_;
  std::vector<Value> initial_; // by location
  std::vector<Value> operand_; // by event
};

void Builder::SetValues(int location) {
  int writes = 0, rmws = 0;
  for (const SynthesisedTest::Event *event : events_)
    if (event->location == location) {
      writes += event->kind == Kind::kWrite;
      rmws += event->kind == Kind::kRmw;
    }
  bool is_and = function_ == Function::kAnd && rmws > 0;
  initial_[location] = is_and ? (Value{1} << rmws) - 1 : 0;
  Value bit = 1;
  while (bit <= writes)
    bit *= 2;
  Value sum = writes + 1;
  int write = 0, rmw = 0;
  for (size_t e = 0; e < events_.size(); e++) {
    if (events_[e]->location != location)
      continue;
    if (events_[e]->kind == Kind::kWrite) {
      write++;
      operand_[e] = is_and ? (Value{1} << (rmws + write)) - 1 : write;
    }
    if (events_[e]->kind != Kind::kRmw)
      continue;
    switch (function_) {
    case Function::kNone:
    case Function::kExchange:
    case Function::kCompareExchange:
      operand_[e] = writes + 1 + rmw;
      break;
    case Function::kAdd:
    case Function::kSub:
      operand_[e] = sum;
      sum = 2 * sum + 1;
      break;
    case Function::kOr:
    case Function::kXor:
      operand_[e] = bit << rmw;
      break;
    case Function::kAnd:
      operand_[e] = ((Value{1} << (writes + rmws)) - 1) ^ (Value{1} << rmw);
      break;
    }
    rmw++;
  }
}

Value Builder::Read(const SynthesisedTest::Forbidden &forbidden, int read, size_t depth) const {
  int write = forbidden.rf[read];
  return write < 0 ? initial_[events_[read]->location] : Written(forbidden, write, depth);
}

Value Builder::Written(const SynthesisedTest::Forbidden &forbidden, int write, size_t depth) const {
  if (events_[write]->kind == Kind::kWrite)
    return operand_[write];
  RmwOperation operation = OperationOf(function_);
  // Two that read from each other have no value; no minimal test has them.
  Value old = operation == RmwOperation::kExchange || depth > events_.size()
                  ? 0
                  : Read(forbidden, write, depth + 1);
  return Apply(operation, old, operand_[write]);
}

Proposition Equals(const Observable &observable, Value value) {
  Proposition proposition;
  proposition.kind = Proposition::Kind::kEquals;
  proposition.observable = observable;
  proposition.constant = value;
  return proposition;
}

Proposition Join(Proposition::Kind kind, std::vector<Proposition> operands) {
  if (operands.size() == 1)
    return operands.front();
  Proposition proposition;
  proposition.kind = kind;
  proposition.operands = std::move(operands);
  return proposition;
}

Program Builder::Build(const std::vector<const SynthesisedTest::Forbidden *> &executions,
                       bool with_observers) const {
  Program program;
  for (size_t location = 0; location < initial_.size(); location++)
    program.locations.push_back({LocationName(static_cast<int>(location)), initial_[location]});
  std::vector<Value> expected = Expected(*executions.front());
  // What the condition says of each execution, in the order of ObserveAll.
  std::vector<std::vector<Proposition>> facts(executions.size());
  auto observe = [&](const Observable &observable, auto value_in) {
    program.observed.push_back(observable);
    for (size_t i = 0; i < executions.size(); i++)
      facts[i].push_back(Equals(observable, value_in(*executions[i])));
  };
  int e = 0;
  size_t compare_exchanges = 0;
  for (size_t t = 0; t < test_.threads.size(); t++) {
    Thread &thread = program.threads.emplace_back();
    for (const SynthesisedTest::Event &event : test_.threads[t]) {
      Statement s;
      s.location = event.location;
      s.order = event.order;
      int read = e++;
      auto observe_read = [&](int index) {
        observe({static_cast<int>(t), index},
                [&, read](const SynthesisedTest::Forbidden &f) { return Read(f, read, 0); });
      };
      switch (event.kind) {
      case Kind::kFence:
        s.kind = Statement::Kind::kFence;
        break;
      case Kind::kWrite:
        s.kind = Statement::Kind::kStore;
        s.value = Constant(operand_[read]);
        break;
      case Kind::kRead:
        s.kind = Statement::Kind::kLoad;
        observe_read(s.target = AddRegister(&thread));
        break;
      case Kind::kRmw:
        s.value = Constant(operand_[read]);
        if (function_ != Function::kCompareExchange) {
          s.kind = Statement::Kind::kRmw;
          s.operation = OperationOf(function_);
          observe_read(s.target = AddRegister(&thread));
          break;
        }
        s.kind = Statement::Kind::kCompareExchange;
        s.failure_order = FailureOrder(event.order);
        s.expected = AddRegister(&thread);
        Statement assign;
        assign.kind = Statement::Kind::kAssign;
        assign.target = s.expected;
        assign.value = Constant(expected[compare_exchanges++]);
        thread.body.push_back(assign);
        observe_read(s.expected);
        s.target = AddRegister(&thread);
        observe({static_cast<int>(t), s.target}, [](const auto &) { return Value{1}; });
        break;
      }
      thread.body.push_back(std::move(s));
    }
  }
  // A thread that sees the plain writes of a location in their order. The final
  // value is the last.
  auto plain = [&](const SynthesisedTest::Forbidden &forbidden, size_t location) {
    std::vector<int> writes;
    for (int w : forbidden.mo[location])
      if (events_[w]->kind == Kind::kWrite)
        writes.push_back(w);
    return writes;
  };
  for (size_t location = 0; with_observers && location < initial_.size(); location++) {
    size_t writes = plain(*executions.front(), location).size();
    if (writes < 3)
      continue;
    int number = static_cast<int>(program.threads.size());
    Thread &thread = program.threads.emplace_back();
    for (size_t i = 0; i + 1 < writes; i++) {
      Statement s;
      s.kind = Statement::Kind::kLoad;
      s.location = static_cast<int>(location);
      s.order = Order::kRelaxed;
      s.target = AddRegister(&thread);
      observe({number, s.target}, [&](const SynthesisedTest::Forbidden &forbidden) {
        return operand_[plain(forbidden, location)[i]];
      });
      thread.body.push_back(std::move(s));
    }
  }
  for (size_t location = 0; location < initial_.size(); location++)
    if (executions.front()->mo[location].size() > 1)
      observe({-1, static_cast<int>(location)}, [&](const SynthesisedTest::Forbidden &forbidden) {
        return Written(forbidden, forbidden.mo[location].back(), 0);
      });
  std::vector<Proposition> cases;
  for (auto &fact : facts)
    cases.push_back(Join(Proposition::Kind::kAnd, std::move(fact)));
  program.condition = Join(Proposition::Kind::kOr, std::move(cases));
  return program;
}

} // namespace

bool IsConditionAllowed(const Program &program, const C11Axioms &axioms) {
  for (const auto &[state, count] : AllowedOutcomes(program, axioms).states)
    if (Holds(program.condition, program, state))
      return true;
  return false;
}

std::vector<Program> Instantiate(const SynthesisedTest &test, const C11Axioms &axioms) {
  std::vector<Program> programs;
  std::string name = (test.family.empty() ? "" : test.family + ".") + test.name;
  auto add = [&](Function function, const std::string &suffix) {
    Builder builder(test, function);
    std::map<std::vector<Value>, std::vector<const SynthesisedTest::Forbidden *>> by_expected;
    for (const SynthesisedTest::Forbidden &forbidden : test.forbidden)
      by_expected[builder.Expected(forbidden)].push_back(&forbidden);
    for (const auto &[expected, executions] : by_expected) {
      Program program = builder.Build(executions, false);
      if (IsConditionAllowed(program, axioms))
        program = builder.Build(executions, true);
      program.name = name + suffix;
      for (Value value : expected)
        program.name += "." + std::to_string(value);
      programs.push_back(std::move(program));
    }
  };
  if (test.Rmws() == 0)
    add(Function::kNone, "");
  else
    for (const FunctionTraits &traits : kFunctions)
      add(traits.function, std::string(".") + traits.name);
  return programs;
}

} // namespace heddle::litmus
