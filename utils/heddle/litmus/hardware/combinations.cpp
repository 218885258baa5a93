// Which traces of the threads may go together. A trace in which a load returned a
// value that no trace of another thread writes, and that is not what its own thread
// wrote last, cannot be part of an execution; most traces are such, since the values of
// loads are guessed.
#include "candidate.h"

#include <algorithm>
#include <bitset>
#include <map>

namespace heddle::litmus::hardware {
namespace {

// Values of locations, numbered. Two values may have the same bit if there are very
// many; then a combination may be visited in vain.
using ValueSet = std::bitset<256>;

class Combinations {
public:
  using Visitor = std::function<bool(const std::vector<const Trace *> &)>;

  Combinations(const HardwareProgram &program, const Visitor &visit)
      : program_(program), visit_(visit) {}

  bool ForEach() {
    for (const std::vector<Trace> &traces : program_.threads) {
      threads_.emplace_back();
      for (const Trace &trace : traces)
        threads_.back().push_back(Summarise(trace));
    }
    Prune();
    // What the threads from here on may write.
    rest_.resize(threads_.size() + 1);
    for (size_t t = threads_.size(); t-- > 0;)
      rest_[t] = rest_[t + 1] | Offers(t);
    return Choose();
  }

private:
  struct Summary {
    const Trace *trace;
    ValueSet needs;  // read, and not what the trace itself has written last, or initial
    ValueSet offers; // written
  };

  ValueSet Bit(int location, Value value) {
    auto [at, added] = numbers_.insert({{location, value}, numbers_.size()});
    return ValueSet().set(at->second % ValueSet().size());
  }

  Summary Summarise(const Trace &trace) {
    Summary summary{&trace, {}, {}};
    std::vector<Value> own; // what each location holds if no other thread writes
    for (const Location &location : program_.locations)
      own.push_back(location.initial);
    for (const Event &event : trace.events) {
      if (event.kind == Event::Kind::kFence)
        continue;
      ValueSet bit = Bit(event.location, event.value);
      if (event.kind == Event::Kind::kWrite) {
        summary.offers |= bit;
        own[event.location] = event.value;
      } else if (event.value != own[event.location]) {
        summary.needs |= bit;
      }
    }
    return summary;
  }

  ValueSet Offers(size_t thread) const {
    ValueSet offers;
    for (const Summary &summary : threads_[thread])
      offers |= summary.offers;
    return offers;
  }

  void Prune() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t t = 0; t < threads_.size(); t++) {
        ValueSet others;
        for (size_t other = 0; other < threads_.size(); other++)
          if (other != t)
            others |= Offers(other);
        auto dropped =
            std::remove_if(threads_[t].begin(), threads_[t].end(),
                           [&](const Summary &summary) { return (summary.needs & ~others).any(); });
        changed |= dropped != threads_[t].end();
        threads_[t].erase(dropped, threads_[t].end());
      }
    }
  }

  // Whether what a chosen trace needs is offered by the others, or may be yet.
  bool MayFit() const {
    for (size_t t = 0; t < chosen_.size(); t++) {
      ValueSet others = rest_[chosen_.size()];
      for (size_t other = 0; other < chosen_.size(); other++)
        if (other != t)
          others |= chosen_[other]->offers;
      if ((chosen_[t]->needs & ~others).any())
        return false;
    }
    return true;
  }

  bool Choose() {
    size_t thread = chosen_.size();
    if (!MayFit())
      return true;
    if (thread == threads_.size()) {
      std::vector<const Trace *> traces;
      for (const Summary *summary : chosen_)
        traces.push_back(summary->trace);
      return visit_(traces);
    }
    for (const Summary &summary : threads_[thread]) {
      chosen_.push_back(&summary);
      bool more = Choose();
      chosen_.pop_back();
      if (!more)
        return false;
    }
    return true;
  }

  const HardwareProgram &program_;
  const Visitor &visit_;
  std::map<std::pair<int, Value>, size_t> numbers_;
  std::vector<std::vector<Summary>> threads_;
  std::vector<ValueSet> rest_;
  std::vector<const Summary *> chosen_;
};

} // namespace

bool ForEachCombination(const HardwareProgram &program, const Combinations::Visitor &visit) {
  return Combinations(program, visit).ForEach();
}

} // namespace heddle::litmus::hardware
