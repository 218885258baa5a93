// A litmus test as a value: what the parser makes, the generator invents, and
// every model runs.
//
// A program has shared atomic locations with initial values, and threads. A
// thread is a tree of statements over its own registers. All integers are 64
// bits wide and wrap around. There is no loop: every execution is finite.
#ifndef HEDDLE_LITMUS_PROGRAM_H
#define HEDDLE_LITMUS_PROGRAM_H

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heddle::litmus {

using Value = int64_t;

// The values are those of __ATOMIC_RELAXED and so on.
enum class Order { kRelaxed, kConsume, kAcquire, kRelease, kAcqRel, kSeqCst };

inline bool IsAcquire(Order order) {
  return order == Order::kConsume || order == Order::kAcquire || order == Order::kAcqRel ||
         order == Order::kSeqCst;
}
inline bool IsRelease(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}

// Where a statement or condition stands in its file; line 0 for none.
struct Position {
  int line = 0, column = 0;
};

// An expression over a thread's registers.
struct Expression {
  enum class Kind {
    kConstant,
    kRegister,
    kNegate, // unary, operand in `left`
    kNot,
    kComplement,
    kAdd,
    kSubtract,
    kMultiply,
    kAnd, // bitwise
    kOr,
    kXor,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kLogicalAnd,
    kLogicalOr,
  };
  Kind kind = Kind::kConstant;
  Value constant = 0;
  int register_index = -1;
  std::shared_ptr<const Expression> left, right;
};

enum class RmwOperation { kExchange, kAdd, kSub, kAnd, kOr, kXor };

struct Statement {
  enum class Kind {
    kLoad,            // target = load(location, order)
    kStore,           // store(location, value, order)
    kRmw,             // target = rmw(location, operation, value, order): the old value
    kCompareExchange, // target = (compare_exchange(location, &expected, value, order,
                      // failure_order))
    kFence,           // fence(order)
    kMembarrier,      // membarrier(2): a seq_cst fence in every thread
    kAssign,          // target = value
    kIf,              // if (value) then_body else else_body
  };
  Kind kind = Kind::kFence;
  int location = -1;
  // A register of the thread, or -1 where the result is not used.
  int target = -1;
  Order order = Order::kSeqCst;
  Order failure_order = Order::kSeqCst;
  bool weak = false; // compare-exchange: may fail although the values are equal
  RmwOperation operation = RmwOperation::kExchange;
  // Compare-exchange: the register that holds the expected value, and gets the
  // found one on failure.
  int expected = -1;
  Expression value;
  std::vector<Statement> then_body, else_body;
  Position position;
};

struct Location {
  std::string name;
  Value initial = 0;
};

struct Thread {
  std::vector<std::string> registers; // all start as 0
  std::vector<Statement> body;
};

// What a final state is made of: a register of a thread, or a location.
struct Observable {
  int thread = -1; // -1: a location
  int index = 0;
  bool operator==(const Observable &other) const {
    return thread == other.thread && index == other.index;
  }
};

// A proposition over final states.
struct Proposition {
  enum class Kind { kTrue, kFalse, kEquals, kSame, kNot, kAnd, kOr, kImplies };
  Kind kind = Kind::kTrue;
  Observable observable; // kEquals: observable == constant
  Value constant = 0;
  Observable other; // kSame: observable == other
  std::vector<Proposition> operands;
  Position position;
};

enum class Quantifier { kExists, kNotExists, kForall };

struct Program {
  std::string name;
  std::vector<Location> locations;
  std::vector<Thread> threads;
  Quantifier quantifier = Quantifier::kExists;
  Proposition condition;
  Proposition filter; // states where it does not hold are left out, see ApplyFilter
  // What a state lists, in the order it lists it: what the condition, the filter and
  // the `locations` clause name.
  std::vector<Observable> observed;
  // The address of each location where values may be addresses: in tests of assembly.
  std::vector<Value> addresses;
};

// The values of Program::observed at the end of an execution.
using State = std::vector<Value>;

// All final states of a program under a model, each with the number of
// executions that end in it.
struct Outcome {
  std::map<State, uint64_t> states;
  uint64_t executions = 0;
};

Value Evaluate(const Expression &expression, const std::vector<Value> &registers);
Value Apply(RmwOperation operation, Value old, Value operand);
bool Holds(const Proposition &proposition, const Program &program, const State &state);
// Models find all states. This removes those that the test does not want to hear of.
void ApplyFilter(const Program &program, Outcome *outcome);

// Makes `observed` everything there is: all registers of all threads, all
// locations. For comparing models on programs that have no condition.
void ObserveAll(Program *program);

// Whether a thread may get to a membarrier.
bool HasMembarrier(const std::vector<Statement> &body);
bool HasMembarrier(const Program &program);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PROGRAM_H
