// Calls of the atomic functions: which function, on which location, with which
// order, and whether C allows that order there.
#include "parser_threads.h"

namespace heddle::litmus {
namespace {

using Kind = Statement::Kind;

bool IsFence(Kind kind) { return kind == Kind::kFence || kind == Kind::kMembarrier; }

const Function *FindFunction(std::string_view name, bool *with_order) {
  // herd's short names.
  if (name == "SCAS")
    name = "atomic_compare_exchange_strong_explicit";
  if (name == "WCAS")
    name = "atomic_compare_exchange_weak_explicit";
  *with_order =
      name.size() > kExplicit.size() && name.substr(name.size() - kExplicit.size()) == kExplicit;
  std::string_view base = *with_order ? name.substr(0, name.size() - kExplicit.size()) : name;
  for (const Function &function : kFunctions)
    if (function.name == base && !(*with_order && IsFence(function.kind))) {
      *with_order |= function.kind == Kind::kFence;
      return &function;
    }
  return nullptr;
}

bool IsAllowed(Kind kind, Order order) {
  switch (kind) {
  case Kind::kLoad:
    return order != Order::kRelease && order != Order::kAcqRel;
  case Kind::kStore:
    return order == Order::kRelaxed || order == Order::kRelease || order == Order::kSeqCst;
  case Kind::kRmw:
  case Kind::kCompareExchange:
  case Kind::kFence:
  case Kind::kMembarrier:
  case Kind::kAssign:
  case Kind::kIf:
    return true;
  }
  return true;
}

} // namespace

// From the parenthesis on.
bool ThreadParser::ParseCall(const Token &name, Statement *statement) {
  bool with_order = false;
  const Function *function = FindFunction(name.text, &with_order);
  if (!function) {
    std::string_view reason = WhyUnsupportedFunction(name.text);
    if (!reason.empty())
      return Fail(name.position, Quote(name.text) + " is not supported: " + std::string(reason));
    std::vector<std::string> known;
    for (const Function &candidate : kFunctions) {
      known.emplace_back(candidate.name);
      if (!IsFence(candidate.kind))
        known.push_back(std::string(candidate.name) + std::string(kExplicit));
    }
    return Fail(name.position, "unknown function " + Quote(name.text) + Similar(name.text, known));
  }
  statement->kind = function->kind;
  statement->operation = function->operation;
  statement->weak = function->weak;
  statement->position = name.position;
  if (!Expect("("))
    return false;
  if (function->kind == Kind::kFence)
    return ParseOrder(&statement->order, Kind::kFence, "a fence") && Expect(")");
  if (function->kind == Kind::kMembarrier)
    return Expect(")");
  if (!ParseLocation(&statement->location))
    return false;
  if (function->kind == Kind::kCompareExchange) {
    if (!Expect(","))
      return false;
    if (!Accept("&"))
      return FailExpected("'&' and the register with the expected value");
    Token expected;
    if (!ExpectName("a register", &expected) || !UseRegister(expected, &statement->expected))
      return false;
  }
  if (function->kind != Kind::kLoad && (!Expect(",") || !ParseValue(&statement->value)))
    return false;
  if (with_order) {
    const char *what = function->kind == Kind::kLoad    ? "a load"
                       : function->kind == Kind::kStore ? "a store"
                                                        : "an operation";
    if (!Expect(",") || !ParseOrder(&statement->order, function->kind, what))
      return false;
    if (function->kind == Kind::kCompareExchange &&
        (!Expect(",") ||
         !ParseOrder(&statement->failure_order, Kind::kLoad, "a compare-exchange that failed")))
      return false;
  }
  return Expect(")");
}

bool ThreadParser::ParseLocation(int *location) {
  if (Is("&"))
    return Fail(token_.position, "expected a location, found '&': a thread's parameters are "
                                 "pointers already");
  Token name;
  if (!ExpectName("a location", &name))
    return false;
  auto found = names_.parameters.find(name.text);
  if (found != names_.parameters.end()) {
    *location = found->second.location;
    return true;
  }
  std::string thread = "P" + std::to_string(program_->threads.size() - 1);
  if (names_.registers.count(name.text))
    return Fail(name.position, Quote(name.text) + " is a register, no location");
  if (FindLocation(name.text) >= 0)
    return Fail(name.position, "location " + Quote(name.text) + " is no parameter of " + thread);
  std::vector<std::string> known;
  for (const auto &[known_name, parameter] : names_.parameters)
    known.push_back(known_name);
  return Fail(name.position, "location " + Quote(name.text) + " is not declared in " + thread +
                                 Similar(name.text, known));
}

// "memory_order_acquire" or "memory_order::acquire", with or without "std::".
bool ThreadParser::ParseOrder(Order *order, Kind kind, const char *what) {
  constexpr std::string_view kPrefix = "memory_order_";
  Token start = token_;
  if (Accept("std") && !Expect("::"))
    return false;
  bool scoped = Accept("memory_order");
  if (scoped && !Expect("::"))
    return false;
  std::string_view name = token_.text;
  if (name.substr(0, kPrefix.size()) == kPrefix)
    name.remove_prefix(kPrefix.size());
  else if (!scoped)
    return FailExpected("a memory order such as memory_order_acquire");
  for (const OrderName &candidate : kOrderNames)
    if (token_.kind == TokenKind::kIdentifier && candidate.name == name) {
      *order = candidate.order;
      Advance();
      if (IsAllowed(kind, *order))
        return true;
      std::string allowed;
      for (const OrderName &other : kOrderNames)
        if (IsAllowed(kind, other.order))
          allowed += (allowed.empty() ? "" : ", ") + std::string(other.name);
      return Fail(start.position,
                  std::string(what) + " cannot be " + std::string(name) + "; it may be " + allowed);
    }
  return FailExpected("one of memory_order_relaxed, consume, acquire, release, acq_rel, seq_cst");
}

} // namespace heddle::litmus
