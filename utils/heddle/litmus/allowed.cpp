#include "allowed.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace heddle::litmus {
namespace {

using Kind = WholeExecution::Kind;

// Enumerates in nested steps: which compare-exchanges succeed, what each read reads
// from, the modification orders. Values follow from these, and say whether the
// compare-exchanges were right.
class Enumerator {
public:
  Enumerator(const Program &program, const C11Axioms &axioms)
      : program_(program), axioms_(axioms), writes_of_(program.locations.size()) {
    for (size_t t = 0; t < program.threads.size(); t++)
      for (size_t s = 0; s < program.threads[t].body.size(); s++)
        AddEvent(static_cast<int>(t), static_cast<int>(s));
    x_.size = static_cast<int>(events_.size());
    for (int a = 0; a < x_.size; a++)
      for (int b = a + 1; b < x_.size; b++)
        if (x_.thread[a] == x_.thread[b])
          x_.sb[a] |= WholeExecution::Set{1} << b;
  }

  Outcome Run() {
    ChooseKind(0);
    return std::move(outcome_);
  }

private:
  struct Event {
    int thread, statement;
  };

  const Statement &StatementOf(int event) const {
    return program_.threads[events_[event].thread].body[events_[event].statement];
  }
  bool IsCompareExchange(int event) const {
    return StatementOf(event).kind == Statement::Kind::kCompareExchange;
  }

  void AddEvent(int thread, int statement) {
    const Statement &s = program_.threads[thread].body[statement];
    if (s.kind == Statement::Kind::kAssign)
      return;
    auto refuse = [&](const std::string &what) {
      throw std::invalid_argument(program_.name + ": expected a test " + what);
    };
    if (s.kind == Statement::Kind::kIf)
      refuse("without `if`: only straight-line programs can be judged");
    if (s.kind == Statement::Kind::kMembarrier)
      refuse("without membarrier: it is a system call, which a compiler makes nothing of");
    if (s.order == Order::kConsume || s.failure_order == Order::kConsume)
      refuse("without memory_order_consume; acquire is what compilers make of it");
    if (events_.size() == WholeExecution::kMaxEvents)
      refuse("of at most " + std::to_string(WholeExecution::kMaxEvents) + " accesses and fences");
    int event = static_cast<int>(events_.size());
    events_.push_back({thread, statement});
    x_.kind[event] = s.kind == Statement::Kind::kLoad    ? Kind::kRead
                     : s.kind == Statement::Kind::kStore ? Kind::kWrite
                     : s.kind == Statement::Kind::kFence ? Kind::kFence
                                                         : Kind::kRmw;
    x_.thread[event] = thread;
    x_.location[event] = s.kind == Statement::Kind::kFence ? -1 : s.location;
    x_.order[event] = s.order;
  }

  void ChooseKind(int event) {
    if (event == x_.size) {
      for (auto &writes : writes_of_)
        writes.clear();
      for (int w = 0; w < x_.size; w++)
        if (x_.Writes(w))
          writes_of_[x_.location[w]].push_back(w);
        else
          x_.mo[w] = 0; // of a compare-exchange that may have succeeded before
      return ChooseRf(0);
    }
    ChooseKind(event + 1);
    if (!IsCompareExchange(event))
      return;
    x_.kind[event] = Kind::kRead;
    x_.order[event] = StatementOf(event).failure_order;
    ChooseKind(event + 1);
    x_.kind[event] = Kind::kRmw;
    x_.order[event] = StatementOf(event).order;
  }

  void ChooseRf(int read) {
    while (read < x_.size && !x_.Reads(read))
      x_.rf[read++] = WholeExecution::kInitial;
    if (read == x_.size) {
      if (SetValues())
        ChooseMo(0);
      return;
    }
    auto choose = [&](int write) {
      // One write cannot be the last before two read-modify-writes.
      if (x_.kind[read] == Kind::kRmw)
        for (int other = 0; other < read; other++)
          if (x_.kind[other] == Kind::kRmw && x_.location[other] == x_.location[read] &&
              x_.rf[other] == write)
            return;
      x_.rf[read] = write;
      ChooseRf(read + 1);
    };
    choose(WholeExecution::kInitial);
    for (int write : writes_of_[x_.location[read]])
      if (write != read)
        choose(write);
  }

  void ChooseMo(size_t location) {
    if (location == writes_of_.size()) {
      x_.SetFr();
      if (IsAllowed(x_, axioms_))
        Found();
      return;
    }
    std::vector<int> &writes = writes_of_[location];
    std::sort(writes.begin(), writes.end());
    do {
      WholeExecution::Set later = 0;
      for (size_t i = writes.size(); i-- > 0;) {
        x_.mo[writes[i]] = later;
        later |= WholeExecution::Set{1} << writes[i];
      }
      ChooseMo(location + 1);
    } while (std::next_permutation(writes.begin(), writes.end()));
  }

  //===-- Values ----------------------------------------------------------===//

  // False if a value depends on itself, or a compare-exchange does not do what was
  // assumed.
  bool SetValues() {
    read_.assign(x_.size, std::nullopt);
    busy_.assign(x_.size, false);
    thin_air_ = false;
    for (int e = 0; e < x_.size; e++) {
      if (!x_.Reads(e))
        continue;
      Value found = Read(e);
      if (thin_air_)
        return false;
      const Statement &s = StatementOf(e);
      if (!IsCompareExchange(e))
        continue;
      bool equal = found == RegisterBefore(events_[e].thread, events_[e].statement, s.expected);
      if (thin_air_ || (x_.kind[e] == Kind::kRmw ? !equal : equal && !s.weak))
        return false;
    }
    for (int e = 0; e < x_.size; e++)
      if (x_.Writes(e))
        Written(e);
    return !thin_air_;
  }

  Value Read(int read) {
    if (!read_[read]) {
      int write = x_.rf[read];
      if (write == WholeExecution::kInitial) {
        read_[read] = program_.locations[x_.location[read]].initial;
      } else if (busy_[read]) {
        thin_air_ = true;
        return 0;
      } else {
        busy_[read] = true;
        Value value = Written(write);
        busy_[read] = false;
        if (thin_air_)
          return 0;
        read_[read] = value;
      }
    }
    return *read_[read];
  }

  Value Written(int write) {
    const Statement &s = StatementOf(write);
    Value operand = EvaluateAt(events_[write], s.value);
    return s.kind == Statement::Kind::kRmw && !thin_air_ ? Apply(s.operation, Read(write), operand)
                                                         : operand;
  }

  Value EvaluateAt(const Event &at, const Expression &expression) {
    // Only what the expression names is needed; anything else could be a cycle that
    // does not matter.
    std::vector<Value> registers(program_.threads[at.thread].registers.size());
    SetRegisters(at, expression, &registers);
    return thin_air_ ? 0 : Evaluate(expression, registers);
  }
  void SetRegisters(const Event &at, const Expression &expression, std::vector<Value> *registers) {
    if (expression.kind == Expression::Kind::kRegister)
      (*registers)[expression.register_index] =
          RegisterBefore(at.thread, at.statement, expression.register_index);
    if (expression.left)
      SetRegisters(at, *expression.left, registers);
    if (expression.right)
      SetRegisters(at, *expression.right, registers);
  }

  Value RegisterBefore(int thread, int statement, int index) {
    const auto &body = program_.threads[thread].body;
    while (statement-- > 0) {
      const Statement &s = body[statement];
      bool is_result = s.target == index;
      bool is_expected = s.kind == Statement::Kind::kCompareExchange && s.expected == index;
      if (!is_result && !is_expected)
        continue;
      if (s.kind == Statement::Kind::kAssign)
        return EvaluateAt({thread, statement}, s.value);
      int event = 0;
      while (events_[event].thread != thread || events_[event].statement != statement)
        event++;
      if (s.kind != Statement::Kind::kCompareExchange)
        return Read(event);
      bool succeeds = x_.kind[event] == Kind::kRmw;
      if (is_result)
        return succeeds;
      if (!succeeds)
        return Read(event);
    }
    return 0;
  }

  void Found() {
    State state;
    for (const Observable &observable : program_.observed) {
      if (observable.thread >= 0) {
        int end = static_cast<int>(program_.threads[observable.thread].body.size());
        state.push_back(RegisterBefore(observable.thread, end, observable.index));
      } else if (writes_of_[observable.index].empty()) {
        state.push_back(program_.locations[observable.index].initial);
      } else {
        state.push_back(Written(writes_of_[observable.index].back()));
      }
    }
    outcome_.states[state]++;
    outcome_.executions++;
  }

  const Program &program_;
  const C11Axioms axioms_;
  WholeExecution x_;
  std::vector<Event> events_;
  std::vector<std::vector<int>> writes_of_; // by location, in the order of mo
  std::vector<std::optional<Value>> read_;
  std::vector<bool> busy_;
  bool thin_air_ = false;
  Outcome outcome_;
};

} // namespace

Outcome AllowedOutcomes(const Program &program, const C11Axioms &axioms) {
  return Enumerator(program, axioms).Run();
}

} // namespace heddle::litmus
