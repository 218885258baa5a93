// The coherence order of a location and what its reads read from.
//
// All hardware models here have "SC per location" (Alglave, Maranget, Tautschnig,
// "Herding Cats", TOPLAS 2014): po-loc, rf, co and fr are acyclic. For a total order
// co that means: along each thread the accesses to the location go forward in co,
// where a read stands at the write it reads from. A write must go further than what
// is before it, a read must not go back. So a read never reads from a write that is
// later in its own thread.
//
// Atomicity, rmw & (fre; coe) empty: between what the read of a read-modify-write
// reads from and the write, co has no write of another thread.
#include "candidate.h"

namespace heddle::litmus::hardware {
namespace {

class LocationEnumerator {
public:
  LocationEnumerator(const Candidate &candidate, int location) : candidate_(candidate) {
    for (int i = 0; i < candidate.Size(); i++) {
      const Candidate::Event &event = candidate.events[i];
      if (event.location != location)
        continue;
      if (event.thread < 0)
        choice_.order.push_back(i);
      else
        accesses_.push_back(i);
      if (Contains(candidate.writes, i))
        unplaced_ |= Singleton(i);
    }
    position_[choice_.order[0]] = 0;
    unplaced_ &= ~Singleton(choice_.order[0]);
  }

  std::vector<LocationChoice> Enumerate() {
    PlaceWrites();
    return std::move(found_);
  }

private:
  using Kind = Candidate::Event::Kind;

  void PlaceWrites() {
    if (!unplaced_) {
      ChooseSources(0, 0);
      return;
    }
    for (int write : Each(unplaced_)) {
      // Those of its thread in program order.
      bool first = true;
      for (int other : Each(unplaced_))
        first &= !candidate_.po.Has(other, write);
      if (!first)
        continue;
      unplaced_ &= ~Singleton(write);
      position_[write] = static_cast<int>(choice_.order.size());
      choice_.order.push_back(write);
      PlaceWrites();
      choice_.order.pop_back();
      unplaced_ |= Singleton(write);
    }
  }

  // From the access with number `index` on, in a thread that is at `position`.
  void ChooseSources(size_t index, int position) {
    if (index == accesses_.size()) {
      found_.push_back(choice_);
      return;
    }
    int access = accesses_[index];
    const Candidate::Event &event = candidate_.events[access];
    if (index > 0 && candidate_.events[accesses_[index - 1]].thread != event.thread)
      position = 0;
    if (event.kind == Kind::kWrite) {
      if (position_[access] > position)
        ChooseSources(index + 1, position_[access]);
      return;
    }
    for (int at = position; at < static_cast<int>(choice_.order.size()); at++) {
      int source = choice_.order[at];
      if (candidate_.events[source].value != event.value || !IsAtomic(access, at))
        continue;
      choice_.sources.push_back({source, access});
      ChooseSources(index + 1, at);
      choice_.sources.pop_back();
    }
  }

  bool IsAtomic(int read, int source_position) const {
    for (int write : Each(candidate_.rmw[read]))
      for (int at = source_position + 1; at < position_[write]; at++)
        if (!candidate_.same_thread.Has(choice_.order[at], write))
          return false;
    return true;
  }

  const Candidate &candidate_;
  std::vector<int> accesses_; // thread by thread in program order
  EventSet unplaced_ = 0;
  axiomatic::PerEvent<int> position_; // in co, of the writes
  LocationChoice choice_;
  std::vector<LocationChoice> found_;
};

} // namespace

std::vector<LocationChoice> ChoicesOf(const Candidate &candidate, int location) {
  return LocationEnumerator(candidate, location).Enumerate();
}

void Apply(const LocationChoice &choice, Candidate *candidate) {
  axiomatic::PerEvent<EventSet> later; // in co
  EventSet rest = 0;
  for (size_t at = choice.order.size(); at-- > 0;) {
    int write = choice.order[at];
    later[write] = rest;
    candidate->co.Add(write, rest);
    rest |= Singleton(write);
  }
  for (auto [source, read] : choice.sources) {
    candidate->rf.Add(source, read);
    candidate->fr.Add(read, later[source]);
  }
}

} // namespace heddle::litmus::hardware
