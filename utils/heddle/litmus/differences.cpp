#include "differences.h"

#include "generator_parts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace heddle::litmus {
namespace {

using Kind = Statement::Kind;
using Body = std::vector<Statement>;

// The orders next below one, for an event of this kind. A relaxed fence is none.
std::vector<Order> Weaker(Kind kind, Order order) {
  const bool reads = kind != Kind::kStore, writes = kind != Kind::kLoad;
  switch (order) {
  case Order::kSeqCst:
    return {reads && writes ? Order::kAcqRel : reads ? Order::kAcquire : Order::kRelease};
  case Order::kAcqRel:
    return {Order::kAcquire, Order::kRelease};
  case Order::kAcquire:
  case Order::kConsume:
  case Order::kRelease:
    return kind == Kind::kFence ? std::vector<Order>() : std::vector{Order::kRelaxed};
  case Order::kRelaxed:
    break;
  }
  return {};
}

// The order of a read-modify-write that has become a load or a store.
Order OrderOfHalf(Kind half, Order order) {
  if (order == Order::kSeqCst)
    return order;
  if (half == Kind::kLoad)
    return IsAcquire(order) ? Order::kAcquire : Order::kRelaxed;
  return IsRelease(order) ? Order::kRelease : Order::kRelaxed;
}

// What a statement can be replaced by, the simplest first: nothing, a branch, less of a
// read-modify-write, a weaker order.
std::vector<Body> Simpler(const Statement &statement) {
  std::vector<Body> simpler = {{}};
  if (statement.kind == Kind::kIf) {
    simpler.push_back(statement.then_body);
    simpler.push_back(statement.else_body);
  }
  // What was read, wherever it went.
  const int old_value =
      statement.kind == Kind::kCompareExchange ? statement.expected : statement.target;
  auto change = [&](auto &&how) { how(&simpler.emplace_back(Body{statement}).front()); };
  if (statement.kind == Kind::kRmw || statement.kind == Kind::kCompareExchange) {
    for (Kind half : {Kind::kLoad, Kind::kStore})
      change([&](Statement *changed) {
        changed->kind = half;
        changed->order = OrderOfHalf(half, statement.order);
        changed->target = half == Kind::kLoad ? old_value : -1;
      });
    if (statement.kind != Kind::kRmw || statement.operation != RmwOperation::kExchange)
      change([&](Statement *changed) {
        changed->kind = Kind::kRmw;
        changed->operation = RmwOperation::kExchange;
        changed->target = old_value;
      });
  }
  if (statement.location >= 0 || statement.kind == Kind::kFence)
    for (Order order : Weaker(statement.kind, statement.order))
      change([&](Statement *changed) { changed->order = order; });
  if (statement.kind == Kind::kCompareExchange)
    for (Order order : Weaker(Kind::kLoad, statement.failure_order))
      change([&](Statement *changed) { changed->failure_order = order; });
  return simpler;
}

// Replaces one statement after the other by what is simpler, and asks `still` about each
// change. Returns whether a change stayed.
bool SimplifyOnce(Body *body, const std::function<bool()> &still) {
  for (size_t i = 0; i < body->size(); i++) {
    const Body before = *body;
    for (const Body &simpler : Simpler(before[i])) {
      *body = before;
      body->erase(body->begin() + i);
      body->insert(body->begin() + i, simpler.begin(), simpler.end());
      if (still())
        return true;
    }
    *body = before;
    if (SimplifyOnce(&(*body)[i].then_body, still) || SimplifyOnce(&(*body)[i].else_body, still))
      return true;
  }
  return false;
}

// The events of a thread, their locations named by when they come up.
std::string BodyText(const Body &body, std::map<int, int> *locations) {
  std::string text;
  for (const Statement &statement : body) {
    if (statement.kind == Kind::kAssign)
      continue;
    if (!text.empty())
      text += '-';
    if (statement.kind == Kind::kIf) {
      text += "if{" + BodyText(statement.then_body, locations) + "}";
      if (!statement.else_body.empty())
        text += "else{" + BodyText(statement.else_body, locations) + "}";
      continue;
    }
    std::string name;
    if (statement.location >= 0)
      name =
          LocationName(locations->emplace(statement.location, static_cast<int>(locations->size()))
                           .first->second);
    text += EventName(statement, name);
  }
  return text;
}

// The least text over all orders of the threads. There are few: it takes two or four to
// differ. More are left as they are.
std::string Canonical(const Program &program) {
  constexpr size_t kMostThreads = 7;
  std::vector<size_t> order(program.threads.size());
  std::iota(order.begin(), order.end(), 0);
  std::string least;
  do {
    std::map<int, int> locations;
    std::string text;
    for (size_t thread : order)
      text += (text.empty() ? "" : "+") + BodyText(program.threads[thread].body, &locations);
    if (least.empty() || text < least)
      least = text;
  } while (order.size() <= kMostThreads && std::next_permutation(order.begin(), order.end()));
  return least;
}

} // namespace

bool Differ(const Program &program, const AxiomaticOptions &allowing,
            const AxiomaticOptions &forbidding) {
  const Outcome fewer = RunAxiomatic(program, forbidding);
  return !ForEachConsistent(program, allowing, [&](const Execution &execution) {
    return fewer.states.count(execution.state) > 0;
  });
}

std::string KindOfDifference(const Program &program, const AxiomaticOptions &allowing,
                             const AxiomaticOptions &forbidding) {
  if (!Differ(program, allowing, forbidding))
    return "";
  Program rest = program;
  auto still = [&] { return Differ(rest, allowing, forbidding); };
  for (bool changed = true; changed;) {
    changed = false;
    for (Thread &thread : rest.threads)
      while (SimplifyOnce(&thread.body, still))
        changed = true;
  }
  rest.threads.erase(std::remove_if(rest.threads.begin(), rest.threads.end(),
                                    [](const Thread &thread) { return thread.body.empty(); }),
                     rest.threads.end());
  return Canonical(rest);
}

} // namespace heddle::litmus
