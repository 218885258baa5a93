#include "seqcst.h"

#include "straight_line.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::litmus {
namespace {

// How often, of 100 places where one could be.
constexpr int kSameLocationPercent = 15, kRmwPercent = 12;
constexpr int kSynchronisingPercent = 50, kSeqCstEndsPercent[] = {85, 35}; // others, rf
constexpr int kTightPercent = 65;
constexpr int kSeqCstFencePercent = 85, kSharedFlagPercent = 15, kExtraPercent = 60;

enum class LinkKind {
  kLone,
  kPair,
  kFenced,
  kForwarded,
  kPassed,
  kFenceThenPassed,
  kPassedThenFence,
  kSequence
};

struct LinkForm {
  LinkKind kind;
  int events, threads;
};
constexpr LinkForm kForms[] = {
    {LinkKind::kLone, 1, 1},
    {LinkKind::kPair, 2, 1},
    {LinkKind::kFenced, 3, 1},
    {LinkKind::kForwarded, 3, 1},
    {LinkKind::kPassed, 4, 2},
    {LinkKind::kFenceThenPassed, 5, 2},
    {LinkKind::kPassedThenFence, 5, 2},
    {LinkKind::kSequence, 5, 3},
};

// Which seq_cst events a program mostly has: how often an access is one, and how often
// each form of link is taken, in the order of kForms.
struct Flavour {
  int seq_cst_percent;
  int weights[std::size(kForms)];
};
constexpr Flavour kFlavours[] = {
    {10, {20, 10, 45, 3, 3, 11, 11, 2}}, // fences
    {65, {22, 45, 3, 12, 20, 3, 3, 6}},  // accesses
    {35, {20, 25, 25, 8, 12, 8, 8, 4}},  // both
};

class SeqCstBuilder {
public:
  SeqCstBuilder(uint64_t seed, const SeqCstParameters &parameters)
      : random_(seed), flavour_(random_.Pick(kFlavours)), tight_(random_.Percent(kTightPercent)),
        max_threads_(std::max(2, parameters.max_threads)),
        max_locations_(std::max(1, parameters.max_locations)),
        left_(std::max(2, parameters.max_events)) {}

  Program Build() {
    ChooseLinks();
    ChooseLocations();
    ChooseCommunications();
    for (const Link &link : links_)
      AddThreads(link);
    GiveReadsSomethingToRead();
    while (left_ > 0 && random_.Percent(kExtraPercent))
      AddExtra();
    return MakeStraightLine(std::move(threads_), locations_, &random_);
  }

private:
  using Kind = Statement::Kind;

  // One end of a link.
  struct End {
    int location = 0;
    bool reads = false, writes = false;
    // Takes part in synchronisation with the end of the other link.
    bool synchronises = false;
    bool seq_cst = false;
  };
  struct Link {
    LinkForm form;
    End enter, leave; // of a lone link, what it does is in both
  };

  //===-- The cycle -------------------------------------------------------===//

  // The longest link is the last one.
  void ChooseLinks() {
    int threads = max_threads_;
    for (int later = random_.Between(1, std::min(max_threads_, left_) - 1); later >= 0; later--) {
      const LinkForm form = ChooseForm(left_ - later, threads - later);
      links_.push_back({form, {}, {}});
      left_ -= form.events;
      threads -= form.threads;
    }
    auto longest = std::max_element(links_.begin(), links_.end(), [](const Link &a, const Link &b) {
      return a.form.events < b.form.events;
    });
    std::rotate(links_.begin(), longest + 1, links_.end());
  }

  LinkForm ChooseForm(int events, int threads) {
    auto fits = [&](const LinkForm &form) {
      return form.events <= events && form.threads <= threads;
    };
    int total = 0;
    for (size_t i = 0; i < std::size(kForms); i++)
      total += fits(kForms[i]) ? flavour_.weights[i] : 0;
    int choice = random_.Below(total);
    size_t i = 0;
    while (!fits(kForms[i]) || (choice -= flavour_.weights[i]) >= 0)
      i++;
    return kForms[i];
  }

  // A lone link stays where it is. The last link, which must come back to the beginning,
  // is one only if all are.
  void ChooseLocations() {
    int at = 0;
    for (size_t i = 0; i < links_.size(); i++) {
      links_[i].enter.location = at;
      if (i + 1 == links_.size())
        at = 0;
      else if (links_[i].form.kind != LinkKind::kLone && !random_.Percent(kSameLocationPercent))
        at = AnotherLocation(at);
      links_[i].leave.location = at;
    }
  }

  // Another than this: a new one more often than one that was there before.
  int AnotherLocation(int location) {
    if (locations_ < max_locations_ && (locations_ == 1 || random_.Percent(70)))
      return locations_++;
    if (locations_ == 1)
      return location;
    const int other = random_.Below(locations_ - 1);
    return other + (other >= location);
  }

  void ChooseCommunications() {
    enum class Communication { kReadsFrom, kFromRead, kCoherence, kBothRead };
    using C = Communication;
    constexpr C kCommunications[] = {C::kReadsFrom, C::kReadsFrom, C::kReadsFrom, C::kReadsFrom,
                                     C::kFromRead,  C::kFromRead,  C::kFromRead,  C::kFromRead,
                                     C::kCoherence, C::kCoherence, C::kBothRead};
    for (size_t i = 0; i < links_.size(); i++) {
      End &from = links_[i].leave, &to = links_[(i + 1) % links_.size()].enter;
      const C communication = random_.Pick(kCommunications);
      from.writes = communication == C::kReadsFrom || communication == C::kCoherence;
      from.reads = !from.writes;
      to.reads = communication == C::kReadsFrom || communication == C::kBothRead;
      to.writes = !to.reads;
      from.synchronises = to.synchronises =
          communication == C::kReadsFrom && random_.Percent(kSynchronisingPercent);
      const bool seq_cst =
          tight_ && random_.Percent(kSeqCstEndsPercent[communication == C::kReadsFrom]);
      from.seq_cst = seq_cst && !HasFence(links_[i]);
      to.seq_cst = seq_cst && !HasFence(links_[(i + 1) % links_.size()]);
    }
  }

  static bool HasFence(const Link &link) {
    return link.form.kind == LinkKind::kFenced || link.form.kind == LinkKind::kFenceThenPassed ||
           link.form.kind == LinkKind::kPassedThenFence;
  }

  //===-- Its threads -----------------------------------------------------===//

  void AddThreads(const Link &link) {
    const Statement enter = Access(link.enter), leave = Access(link.leave);
    switch (link.form.kind) {
    case LinkKind::kLone:
      threads_.push_back({LoneAccess(link)});
      return;
    case LinkKind::kPair:
      threads_.push_back({enter, leave});
      return;
    case LinkKind::kFenced:
      threads_.push_back({enter, Fence(), leave});
      return;
    case LinkKind::kForwarded:
      threads_.push_back({enter, Second(enter), leave});
      return;
    case LinkKind::kPassed:
    case LinkKind::kFenceThenPassed:
    case LinkKind::kPassedThenFence:
    case LinkKind::kSequence:
      break;
    }
    EventList first = {enter}, second;
    if (link.form.kind == LinkKind::kFenceThenPassed)
      first.push_back(Fence());
    AddMessage(&first, &second);
    if (link.form.kind == LinkKind::kSequence) {
      Statement rmw = Rmw(first.back().location);
      if (random_.Percent(70))
        rmw.order = Order::kRelaxed;
      threads_.push_back({rmw});
    }
    if (link.form.kind == LinkKind::kPassedThenFence)
      second.push_back(Fence());
    second.push_back(leave);
    threads_.push_back(std::move(first));
    threads_.push_back(std::move(second));
  }

  // Another access at the same location, with which the first communicates.
  Statement Second(const Statement &first) {
    const bool store = !Writes(first) || random_.Percent(30);
    return Access(store ? Kind::kStore : Kind::kLoad, first.location);
  }

  void AddMessage(EventList *from, EventList *to) {
    // Also relaxed ones: they order what is executed, and nothing else.
    constexpr std::pair<Order, Order> kOrders[] = {
        {Order::kRelease, Order::kAcquire}, {Order::kRelease, Order::kAcquire},
        {Order::kRelease, Order::kAcquire}, {Order::kSeqCst, Order::kAcquire},
        {Order::kRelease, Order::kSeqCst},  {Order::kRelaxed, Order::kRelaxed}};
    const bool shared = locations_ == max_locations_ || random_.Percent(kSharedFlagPercent);
    const int flag = shared ? random_.Below(locations_) : locations_++;
    Statement store = Access(Kind::kStore, flag), load = Access(Kind::kLoad, flag);
    std::tie(store.order, load.order) = random_.Pick(kOrders);
    from->push_back(store);
    to->push_back(load);
  }

  Statement LoneAccess(const Link &link) {
    End both = link.enter;
    both.reads |= link.leave.reads;
    both.writes |= link.leave.writes;
    both.synchronises |= link.leave.synchronises;
    both.seq_cst &= link.leave.seq_cst;
    Statement event = Access(both);
    // What was released before is passed on without being acquired.
    if (link.enter.synchronises && link.leave.synchronises && random_.Percent(50))
      event.order = Order::kRelaxed;
    return event;
  }

  Statement Access(const End &end) {
    const bool rmw = (end.reads && end.writes) || random_.Percent(kRmwPercent);
    Statement event = rmw         ? Rmw(end.location)
                      : end.reads ? Access(Kind::kLoad, end.location)
                                  : Access(Kind::kStore, end.location);
    if (end.seq_cst)
      event.order = Order::kSeqCst;
    if (end.synchronises && event.order != Order::kSeqCst)
      event.order = rmw ? Order::kAcqRel : end.reads ? Order::kAcquire : Order::kRelease;
    return event;
  }

  Statement Access(Kind kind, int location) {
    Statement event;
    event.kind = kind;
    event.location = location;
    const Order strong = kind == Kind::kLoad ? Order::kAcquire : Order::kRelease;
    event.order = random_.Percent(flavour_.seq_cst_percent) ? Order::kSeqCst
                  : random_.Percent(50)                     ? strong
                                                            : Order::kRelaxed;
    return event;
  }

  Statement Rmw(int location) {
    constexpr Order kWeaker[] = {Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcqRel};
    constexpr Order kFailures[] = {Order::kRelaxed, Order::kAcquire, Order::kSeqCst};
    Statement event = Access(Kind::kRmw, location);
    if (event.order != Order::kSeqCst)
      event.order = random_.Pick(kWeaker);
    switch (random_.Below(3)) {
    case 0:
      event.kind = Kind::kCompareExchange;
      event.failure_order = random_.Pick(kFailures);
      break;
    case 1:
      event.operation = RmwOperation::kAdd;
      break;
    }
    return event;
  }

  Statement Fence() {
    constexpr Order kWeaker[] = {Order::kAcquire, Order::kRelease, Order::kAcqRel};
    Statement fence;
    fence.kind = Kind::kFence;
    fence.order =
        tight_ || random_.Percent(kSeqCstFencePercent) ? Order::kSeqCst : random_.Pick(kWeaker);
    return fence;
  }

  //===-- What is added ---------------------------------------------------===//

  // Where all communications are between reads, nothing is written: a thread of its own
  // writes, or else one of the reads becomes a write.
  void GiveReadsSomethingToRead() {
    for (int location = 0; location < locations_; location++) {
      Statement *read = nullptr;
      bool written = false;
      for (EventList &thread : threads_)
        for (Statement &event : thread)
          if (event.location == location) {
            written |= Writes(event);
            read = &event;
          }
      if (written)
        continue;
      if (left_ > 0 && static_cast<int>(threads_.size()) < max_threads_) {
        threads_.push_back({Access(Kind::kStore, location)});
        left_--;
      } else {
        *read = Access(Kind::kStore, location);
      }
    }
  }

  void AddExtra() {
    const int location = random_.Below(locations_);
    switch (random_.Below(4)) {
    case 0:
      return AddFence();
    case 1:
      return Insert(Access(Kind::kLoad, location), static_cast<int>(threads_.size()));
    case 2:
      return Insert(Rmw(location), max_threads_);
    default:
      return Insert(Access(Kind::kStore, location), max_threads_);
    }
  }

  // Anywhere in one of so many threads, of which one may be new.
  void Insert(const Statement &event, int threads) {
    const int size = static_cast<int>(threads_.size());
    const int thread = random_.Below(std::min(size + 1, threads));
    if (thread == size)
      threads_.emplace_back();
    EventList &events = threads_[thread];
    events.insert(events.begin() + random_.Below(static_cast<int>(events.size()) + 1), event);
    left_--;
  }

  // Between two accesses. Where a thread has none, there is nothing to order.
  void AddFence() {
    EventList &events = threads_[random_.Below(static_cast<int>(threads_.size()))];
    const int places = static_cast<int>(events.size()) - 1;
    if (places < 1)
      return;
    const int place = 1 + random_.Below(places);
    if (events[place].kind == Kind::kFence || events[place - 1].kind == Kind::kFence)
      return;
    events.insert(events.begin() + place, Fence());
    left_--;
  }

  Random random_;
  const Flavour &flavour_;
  const bool tight_; // each link orders its ends
  const int max_threads_, max_locations_;
  int left_; // events that there may still be
  int locations_ = 1;
  std::vector<Link> links_;
  std::vector<EventList> threads_;
};

} // namespace

Program SeqCstProgram(uint64_t seed, const SeqCstParameters &parameters) {
  Program program = SeqCstBuilder(seed, parameters).Build();
  program.name = "seqcst-" + std::to_string(seed);
  return program;
}

} // namespace heddle::litmus
