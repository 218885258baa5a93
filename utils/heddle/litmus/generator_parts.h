// What generated programs are made of: the names of locations, events and registers, values
// that tell who wrote them, and random numbers that are the same everywhere.
#ifndef HEDDLE_LITMUS_GENERATOR_PARTS_H
#define HEDDLE_LITMUS_GENERATOR_PARTS_H

#include "program.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::litmus {

inline std::string LocationName(int index) {
  static constexpr char kNames[] = "xyzwvutsqponmlkjihgfedcba";
  if (index < static_cast<int>(sizeof(kNames)) - 1)
    return std::string(1, kNames[index]);
  return "l" + std::to_string(index);
}

inline const char *ShortName(Order order) {
  switch (order) {
  case Order::kRelaxed:
    return "rlx";
  case Order::kConsume:
    return "con";
  case Order::kAcquire:
    return "acq";
  case Order::kRelease:
    return "rel";
  case Order::kAcqRel:
    return "ar";
  case Order::kSeqCst:
    return "sc";
  }
  return "";
}

// "Wx.rlx", "Fsc", and for a compare-exchange "Cx.ar.acq".
inline std::string EventName(const Statement &event, const std::string &location) {
  std::string name;
  switch (event.kind) {
  case Statement::Kind::kLoad:
    name = "R";
    break;
  case Statement::Kind::kStore:
    name = "W";
    break;
  case Statement::Kind::kRmw:
    name = event.operation == RmwOperation::kExchange ? "X" : "A";
    break;
  case Statement::Kind::kCompareExchange:
    name = "C";
    break;
  case Statement::Kind::kFence:
    return std::string("F") + ShortName(event.order);
  case Statement::Kind::kMembarrier:
    return "M";
  case Statement::Kind::kAssign:
  case Statement::Kind::kIf:
    return "";
  }
  name += location + "." + ShortName(event.order);
  if (event.kind == Statement::Kind::kCompareExchange)
    name += std::string(".") + ShortName(event.failure_order);
  return name;
}

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
  expression.left = std::make_shared<const Expression>(std::move(left));
  expression.right = std::make_shared<const Expression>(std::move(right));
  return expression;
}

// Values that tell who wrote them: stores of a location write 1, 2, 3, ..., what
// is added to it is 10, 100, 1000, ...
class Values {
public:
  explicit Values(int locations) : stored_(locations), added_(locations, 1) {}
  Value Stored(int location) { return ++stored_[location]; }
  Value Added(int location) {
    // Random programs may be long. Then values need not be unique.
    constexpr Value kLargest = 1'000'000'000;
    return added_[location] = std::min(added_[location] * 10, kLargest);
  }
  // One that the location may have: 0, or what a store writes.
  Value Possible(int location, uint64_t random) const {
    return static_cast<Value>(random % (stored_[location] + 2));
  }

private:
  std::vector<Value> stored_, added_;
};

inline int AddRegister(Thread *thread) {
  int index = static_cast<int>(thread->registers.size());
  thread->registers.push_back("r" + std::to_string(index));
  return index;
}

// Splitmix64. The standard library's distributions differ between libraries.
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  int Below(int bound) { return static_cast<int>(Next() % static_cast<uint64_t>(bound)); }
  int Between(int low, int high) { return low + Below(high - low + 1); }
  bool Percent(int percent) { return Below(100) < percent; }
  template <class T> const T &Pick(const std::vector<T> &list) {
    return list[Below(static_cast<int>(list.size()))];
  }
  template <class T, int kSize> const T &Pick(const T (&list)[kSize]) { return list[Below(kSize)]; }

private:
  uint64_t state_;
};

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_GENERATOR_PARTS_H
