#include "synth.h"

#include "../threads.h"
#include "generator_parts.h"
#include "synth_families.h"
#include "synth_shapes.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <set>

namespace heddle::litmus {
namespace {

using Kind = WholeExecution::Kind;
using Set = WholeExecution::Set;
using Orders = std::vector<Order>;

// The orders of an event, so that weaker ones come first. A relaxed fence is none:
// no test has one, but it is what the weaker of the others weaken to.
const std::vector<Order> &OrdersOf(Kind kind) {
  static const std::vector<Order> kLoads = {Order::kRelaxed, Order::kAcquire, Order::kSeqCst};
  static const std::vector<Order> kStores = {Order::kRelaxed, Order::kRelease, Order::kSeqCst};
  static const std::vector<Order> kBoth = {Order::kRelaxed, Order::kAcquire, Order::kRelease,
                                           Order::kAcqRel, Order::kSeqCst};
  return kind == Kind::kRead ? kLoads : kind == Kind::kWrite ? kStores : kBoth;
}

// Weakened by one step, as places in OrdersOf(kind): those that are set.
unsigned OneStepWeaker(Kind kind, int place) {
  if (place == 0)
    return 0;
  if (kind == Kind::kRead || kind == Kind::kWrite)
    return 1u << (place - 1);
  static constexpr unsigned kWeaker[] = {0, 1u << 0, 1u << 0, 1u << 1 | 1u << 2, 1u << 3};
  return kWeaker[place];
}

// Finds the tests of one shape: all executions, and for each the orders that forbid
// it and are minimal.
//
// Under all models but kC11, a stronger order never allows more, so the orders that
// forbid an execution are closed upwards, and are walked through from the strongest
// downwards. Of C++11's rules one is not like this: a seq_cst load may read from a
// store that happens before one seq_cst store, but not before another one in between.
class ShapeSearch {
public:
  ShapeSearch(const Shape &shape, const SynthOptions &options)
      : shape_(shape), options_(options), size_(static_cast<int>(shape.events.size())),
        writes_of_(shape.locations) {
    x_.size = size_;
    int e = 0;
    for (size_t t = 0; t < shape.sizes.size(); t++)
      for (int i = 0; i < shape.sizes[t]; i++, e++) {
        x_.thread[e] = static_cast<int>(t);
        x_.kind[e] = shape.events[e].kind;
        x_.location[e] = shape.events[e].location;
        for (int j = i + 1; j < shape.sizes[t]; j++)
          x_.sb[e] |= Set{1} << (e + j - i);
        x_.rf[e] = WholeExecution::kInitial;
        if (x_.Writes(e))
          writes_of_[x_.location[e]].push_back(e);
        radix_[e] = assignments_;
        assignments_ *= OrdersOf(x_.kind[e]).size();
      }
  }

  std::map<Orders, std::set<SynthesisedTest::Forbidden>> Run() {
    ChooseMo(0);
    return std::move(found_);
  }

private:
  enum : uint8_t { kUnknown, kAllowed, kForbidden };

  void ChooseMo(size_t location) {
    if (location == writes_of_.size())
      return ChooseRf(0);
    std::vector<int> &writes = writes_of_[location];
    std::sort(writes.begin(), writes.end());
    do {
      Set later = 0;
      for (size_t i = writes.size(); i-- > 0;) {
        x_.mo[writes[i]] = later;
        later |= Set{1} << writes[i];
      }
      ChooseMo(location + 1);
    } while (std::next_permutation(writes.begin(), writes.end()));
  }

  void ChooseRf(int read) {
    while (read < size_ && !x_.Reads(read))
      read++;
    if (read == size_)
      return UseExecution();
    x_.rf[read] = WholeExecution::kInitial;
    ChooseRf(read + 1);
    for (int write : writes_of_[x_.location[read]])
      if (write != read) {
        x_.rf[read] = write;
        ChooseRf(read + 1);
      }
    x_.rf[read] = WholeExecution::kInitial;
  }

  void UseExecution() {
    x_.SetFr();
    known_.assign(assignments_, kUnknown);
    uint32_t top = assignments_ - 1;
    // Incoherent whatever the orders are, and all others are too strong.
    if (IsForbidden(0)) {
      UseIfMinimal(0);
      return;
    }
    if (options_.axioms.model == C11Model::kC11) {
      // With all orders seq_cst, C++20 allows what is sequentially consistent. That
      // is allowed under any orders.
      C11Axioms strongest = options_.axioms;
      strongest.model = C11Model::kCxx20;
      SetOrders(top);
      if (IsAllowed(x_, strongest))
        return;
      for (uint32_t index = 0; index < assignments_; index++)
        if (IsForbidden(index))
          UseIfMinimal(index);
      return;
    }
    if (!IsForbidden(top))
      return;
    todo_.assign(1, top);
    while (!todo_.empty()) {
      uint32_t index = todo_.back();
      todo_.pop_back();
      bool minimal = true;
      ForEachWeaker(index, [&](uint32_t weaker) {
        bool is_new = known_[weaker] == kUnknown;
        if (!IsForbidden(weaker))
          return;
        minimal = false;
        if (is_new)
          todo_.push_back(weaker);
      });
      if (minimal)
        UseIfMinimal(index);
    }
  }

  int PlaceOf(uint32_t index, int e) const {
    return static_cast<int>(index / radix_[e] % OrdersOf(x_.kind[e]).size());
  }

  template <class Visitor> void ForEachWeaker(uint32_t index, Visitor visit) const {
    for (int e = 0; e < size_; e++) {
      int place = PlaceOf(index, e);
      for (unsigned weaker = OneStepWeaker(x_.kind[e], place); weaker; weaker &= weaker - 1)
        visit(index - (place - __builtin_ctz(weaker)) * radix_[e]);
    }
  }

  void SetOrders(uint32_t index) {
    for (int e = 0; e < size_; e++)
      x_.order[e] = OrdersOf(x_.kind[e])[PlaceOf(index, e)];
  }

  bool IsForbidden(uint32_t index) {
    uint8_t &known = known_[index];
    if (known == kUnknown) {
      SetOrders(index);
      known = IsAllowed(x_, options_.axioms) ? kAllowed : kForbidden;
    }
    return known == kForbidden;
  }

  // Of orders that forbid the execution.
  void UseIfMinimal(uint32_t index) {
    bool minimal = true;
    for (int e = 0; e < size_; e++)
      minimal &= x_.kind[e] != Kind::kFence || PlaceOf(index, e) > 0;
    if (!minimal)
      return;
    ForEachWeaker(index, [&](uint32_t weaker) { minimal = minimal && !IsForbidden(weaker); });
    if (!minimal)
      return;
    SetOrders(index);
    Orders orders(x_.order.begin(), x_.order.begin() + size_);
    // Of orders that are the same by symmetry, the least will do. Its executions
    // are among those that are enumerated.
    for (const std::vector<int> &from : shape_.symmetries)
      for (int e = 0; e < size_; e++)
        if (orders[from[e]] != orders[e]) {
          if (orders[from[e]] < orders[e])
            return;
          break;
        }
    for (int e = 0; e < size_; e++)
      if (!IsAllowed(x_.Without(e), options_.axioms))
        return;
    if (options_.split_rmws)
      for (int e = 0; e < size_; e++)
        if (x_.kind[e] == Kind::kRmw && !IsAllowed(x_.Split(e), options_.axioms))
          return;
    found_[orders].insert({std::vector<int>(x_.rf.begin(), x_.rf.begin() + size_), writes_of_});
  }

  const Shape &shape_;
  const SynthOptions &options_;
  const int size_;
  WholeExecution x_;
  std::vector<std::vector<int>> writes_of_; // by location, in the order of mo
  // An assignment of orders is a number, with a digit for each event.
  WholeExecution::PerEvent<uint32_t> radix_{};
  uint32_t assignments_ = 1;
  std::vector<uint8_t> known_;
  std::vector<uint32_t> todo_;
  std::map<Orders, std::set<SynthesisedTest::Forbidden>> found_;
};

std::string NameOf(const SynthesisedTest &test) {
  static constexpr const char *kOrders[] = {"rlx", "con", "acq", "rel", "ar", "sc"};
  static constexpr char kKindNames[] = "RWUF";
  std::string name;
  for (const auto &thread : test.threads) {
    name += name.empty() ? "" : "+";
    for (size_t i = 0; i < thread.size(); i++) {
      const SynthesisedTest::Event &event = thread[i];
      name += i ? "-" : "";
      name += kKindNames[static_cast<int>(event.kind)];
      if (event.kind != Kind::kFence)
        name += LocationName(event.location) + ".";
      name += kOrders[static_cast<int>(event.order)];
    }
  }
  return name;
}

} // namespace

int SynthesisedTest::Size() const {
  size_t size = 0;
  for (const auto &thread : threads)
    size += thread.size();
  return static_cast<int>(size);
}

int SynthesisedTest::Rmws() const {
  int rmws = 0;
  for (const auto &thread : threads)
    for (const Event &event : thread)
      rmws += event.kind == Kind::kRmw;
  return rmws;
}

bool HasTiedThreads(const SynthesisedTest &test) {
  std::vector<std::string> keys;
  for (const auto &thread : test.threads) {
    SynthesisedTest alone;
    alone.threads = {thread};
    for (SynthesisedTest::Event &event : alone.threads[0])
      event.location = std::min(event.location, 0);
    keys.push_back(NameOf(alone));
  }
  std::vector<size_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::set<std::string> names;
  do {
    if (!std::is_sorted(order.begin(), order.end(),
                        [&](size_t a, size_t b) { return keys[a] < keys[b]; }))
      continue;
    SynthesisedTest reordered;
    std::map<int, int> locations;
    for (size_t t : order) {
      reordered.threads.push_back(test.threads[t]);
      for (SynthesisedTest::Event &event : reordered.threads.back())
        if (event.location >= 0)
          event.location = locations.try_emplace(event.location, static_cast<int>(locations.size()))
                               .first->second;
    }
    names.insert(NameOf(reordered));
  } while (std::next_permutation(order.begin(), order.end()));
  return names.size() > 1;
}

WholeExecution ExecutionOf(const SynthesisedTest &test,
                           const SynthesisedTest::Forbidden &forbidden) {
  WholeExecution x;
  for (size_t t = 0; t < test.threads.size(); t++)
    for (size_t i = 0; i < test.threads[t].size(); i++) {
      int e = x.size++;
      x.kind[e] = test.threads[t][i].kind;
      x.thread[e] = static_cast<int>(t);
      x.location[e] = test.threads[t][i].location;
      x.order[e] = test.threads[t][i].order;
      for (size_t j = i + 1; j < test.threads[t].size(); j++)
        x.sb[e] |= Set{1} << (e + j - i);
      x.rf[e] = forbidden.rf[e];
    }
  for (const std::vector<int> &writes : forbidden.mo) {
    Set later = 0;
    for (size_t i = writes.size(); i-- > 0;) {
      x.mo[writes[i]] = later;
      later |= Set{1} << writes[i];
    }
  }
  x.SetFr();
  return x;
}

std::vector<SynthesisedTest> Weakenings(const SynthesisedTest &test) {
  std::vector<SynthesisedTest> weakenings;
  for (size_t t = 0; t < test.threads.size(); t++)
    for (size_t i = 0; i < test.threads[t].size(); i++) {
      const SynthesisedTest::Event &event = test.threads[t][i];
      const std::vector<Order> &orders = OrdersOf(event.kind);
      int place =
          static_cast<int>(std::find(orders.begin(), orders.end(), event.order) - orders.begin());
      for (unsigned weaker = OneStepWeaker(event.kind, place); weaker; weaker &= weaker - 1) {
        Order order = orders[__builtin_ctz(weaker)];
        // A relaxed fence is one that is removed.
        if (event.kind == Kind::kFence && order == Order::kRelaxed)
          continue;
        SynthesisedTest weakened = test;
        weakened.threads[t][i].order = order;
        weakened.name = NameOf(weakened);
        weakenings.push_back(std::move(weakened));
      }
    }
  return weakenings;
}

std::vector<SynthesisedTest> Synthesise(const SynthOptions &options) {
  std::vector<SynthesisedTest> tests;
  for (int events = options.min_events; events <= options.max_events; events++) {
    const std::vector<Shape> shapes = Shapes(
        {events, options.min_threads, options.max_rmws, options.fences, options.min_locations});
    std::vector<std::vector<SynthesisedTest>> by_shape(shapes.size());
    std::atomic<size_t> next{0};
    auto work = [&] {
      for (size_t i; (i = next++) < shapes.size();) {
        const Shape &shape = shapes[i];
        for (auto &[orders, forbidden] : ShapeSearch(shape, options).Run()) {
          SynthesisedTest test;
          size_t e = 0;
          for (int size : shape.sizes) {
            test.threads.emplace_back();
            for (int j = 0; j < size; j++, e++)
              test.threads.back().push_back(
                  {shape.events[e].kind, shape.events[e].location, orders[e]});
          }
          test.forbidden.assign(forbidden.begin(), forbidden.end());
          test.name = NameOf(test);
          test.family = FamilyOf(test, options.axioms);
          by_shape[i].push_back(std::move(test));
        }
      }
    };
    OnThreads(options.jobs, work);
    for (auto &found : by_shape)
      for (SynthesisedTest &test : found)
        tests.push_back(std::move(test));
  }
  return tests;
}

} // namespace heddle::litmus
