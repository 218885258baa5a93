#include "cycles.h"

#include "straight_line.h"

#include <algorithm>
#include <utility>

namespace heddle::litmus {
namespace {

// How often, of 100 places where one could be. Rules on fences tend to need two of
// them, so some programs have many.
constexpr int kRmwPercent = 15, kLoneRmwPercent = 35, kSameLocationPercent = 25;
constexpr int kManyFencesPercent = 30, kFencePercent[] = {20, 80}; // few, many
constexpr int kExtraPercent = 80, kFlagPercent = 40, kWeakPercent = 30;

constexpr Order kLoadOrders[] = {Order::kRelaxed, Order::kAcquire, Order::kSeqCst};
constexpr Order kStoreOrders[] = {Order::kRelaxed, Order::kRelease, Order::kSeqCst};
constexpr Order kRmwOrders[] = {Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcqRel,
                                Order::kSeqCst};
constexpr Order kFenceOrders[] = {Order::kAcquire, Order::kRelease, Order::kAcqRel,
                                  Order::kSeqCst,  Order::kSeqCst,  Order::kSeqCst};

class CycleBuilder {
public:
  CycleBuilder(uint64_t seed, const CycleParameters &parameters)
      : random_(seed), max_threads_(std::max(2, parameters.max_threads)),
        max_locations_(std::max(1, parameters.max_locations)),
        left_(std::max(2, parameters.max_events)) {}

  Program Build() {
    MakeCycle();
    AddFences();
    while (left_ > 0 && random_.Percent(kExtraPercent))
      AddExtra();
    return MakeStraightLine(std::move(threads_), locations_, &random_);
  }

private:
  using Kind = Statement::Kind;
  using Event = Statement; // registers and values come last
  using Events = EventList;

  //===-- The cycle -------------------------------------------------------===//

  void MakeCycle() {
    const std::vector<int> sizes = Sizes();
    // Where each thread ends and the next one begins.
    const std::vector<int> meetings = Meetings(sizes);
    int begin = meetings.back();
    for (size_t t = 0; t < sizes.size(); t++) {
      Events &thread = threads_.emplace_back();
      thread.push_back(sizes[t] > 1 ? AnyEvent(begin) : LoneEvent(begin));
      for (int i = 2; i < sizes[t]; i++)
        thread.push_back(AnyEvent(random_.Pick(meetings)));
      if (sizes[t] > 1)
        thread.push_back(AnyEvent(meetings[t]));
      begin = meetings[t];
    }
    for (size_t t = 0; t < threads_.size(); t++) {
      Event *from = &threads_[t].back(), *to = &threads_[(t + 1) % threads_.size()].front();
      if (from->kind == Kind::kLoad && to->kind == Kind::kLoad) {
        Event *writer = random_.Percent(50) ? from : to;
        *writer = MakeEvent(Kind::kStore, writer->location);
      }
    }
  }

  // Events by thread, the last thread having the most.
  std::vector<int> Sizes() {
    constexpr int kSizes[] = {1, 1, 2, 2, 2, 2, 2, 3};
    std::vector<int> sizes;
    for (int later = random_.Between(1, std::min(max_threads_, left_) - 1); later >= 0; later--) {
      // Each later thread needs one, too.
      sizes.push_back(std::min(random_.Pick(kSizes), left_ - later));
      left_ -= sizes.back();
    }
    std::rotate(sizes.begin(), std::max_element(sizes.begin(), sizes.end()) + 1, sizes.end());
    return sizes;
  }

  std::vector<int> Meetings(const std::vector<int> &sizes) {
    // A thread of one event cannot go elsewhere. The last thread, which must come
    // back to the beginning, has one only if all have.
    std::vector<int> meetings;
    int at = 0;
    for (size_t t = 0; t + 1 < sizes.size(); t++) {
      if (sizes[t] > 1 && !random_.Percent(kSameLocationPercent))
        at = AnotherLocation(at);
      meetings.push_back(at);
    }
    meetings.push_back(0);
    return meetings;
  }

  // Another than this: a new one, or one that was there before.
  int AnotherLocation(int location) {
    int choices = std::min(locations_ + 1, max_locations_) - 1;
    if (choices == 0)
      return location;
    int other = random_.Below(choices);
    other += other >= location;
    locations_ = std::max(locations_, other + 1);
    return other;
  }

  Event AnyEvent(int location) {
    if (random_.Percent(kRmwPercent))
      return AnyRmw(location);
    return MakeEvent(random_.Percent(50) ? Kind::kLoad : Kind::kStore, location);
  }

  Event AnyRmw(int location) {
    return MakeEvent(random_.Percent(50) ? Kind::kRmw : Kind::kCompareExchange, location);
  }

  // Of a thread that has no other: a read there says little, a read-modify-write
  // continues a release sequence.
  Event LoneEvent(int location) {
    return random_.Percent(kLoneRmwPercent) ? AnyRmw(location) : MakeEvent(Kind::kStore, location);
  }

  Event MakeEvent(Kind kind, int location) {
    Event event;
    event.kind = kind;
    event.location = location;
    switch (kind) {
    case Kind::kLoad:
      event.order = random_.Pick(kLoadOrders);
      break;
    case Kind::kStore:
      event.order = random_.Pick(kStoreOrders);
      break;
    case Kind::kRmw:
      event.order = random_.Pick(kRmwOrders);
      event.operation = random_.Percent(50) ? RmwOperation::kAdd : RmwOperation::kExchange;
      break;
    case Kind::kCompareExchange:
      event.order = random_.Pick(kRmwOrders);
      event.failure_order = random_.Pick(kLoadOrders);
      event.weak = random_.Percent(kWeakPercent);
      break;
    case Kind::kFence:
      event.order = random_.Pick(kFenceOrders);
      break;
    case Kind::kMembarrier:
    case Kind::kAssign:
    case Kind::kIf:
      break;
    }
    return event;
  }

  //===-- What is added to it ---------------------------------------------===//

  void AddFences() {
    const int percent = kFencePercent[random_.Percent(kManyFencesPercent)];
    for (Events &thread : threads_)
      for (size_t i = 1; i < thread.size(); i++)
        if (left_ > 0 && random_.Percent(percent)) {
          thread.insert(thread.begin() + i++, MakeEvent(Kind::kFence, -1));
          left_--;
        }
  }

  void AddExtra() {
    if (left_ > 1 && random_.Percent(kFlagPercent))
      return AddFlag();
    // One store in three is seq_cst by itself; here, two.
    constexpr Kind kKinds[] = {Kind::kStore, Kind::kStore, Kind::kLoad, Kind::kRmw,
                               Kind::kCompareExchange};
    const Kind kind = random_.Pick(kKinds);
    Event event = MakeEvent(kind, random_.Below(locations_));
    if (kind == Kind::kStore && random_.Percent(50))
      event.order = Order::kSeqCst;
    int threads = static_cast<int>(threads_.size());
    int thread = random_.Below(std::min(threads + 1, max_threads_));
    if (thread == threads)
      threads_.emplace_back();
    Insert(thread, event);
  }

  // A relaxed store in one thread, a relaxed load in another.
  void AddFlag() {
    int location = locations_ < max_locations_ ? locations_++ : random_.Below(locations_);
    int threads = static_cast<int>(threads_.size());
    int from = random_.Below(threads), to = random_.Below(threads - 1);
    Event store = MakeEvent(Kind::kStore, location), load = MakeEvent(Kind::kLoad, location);
    store.order = load.order = Order::kRelaxed;
    Insert(from, store);
    Insert(to + (to >= from), load);
  }

  void Insert(int thread, const Event &event) {
    Events &events = threads_[thread];
    events.insert(events.begin() + random_.Below(static_cast<int>(events.size()) + 1), event);
    left_--;
  }

  Random random_;
  const int max_threads_, max_locations_;
  int left_; // events that there may still be
  int locations_ = 1;
  std::vector<Events> threads_;
};

} // namespace

Program CycleProgram(uint64_t seed, const CycleParameters &parameters) {
  Program program = CycleBuilder(seed, parameters).Build();
  program.name = "cycle-" + std::to_string(seed);
  return program;
}

} // namespace heddle::litmus
