// The rule: let two paths come to the same place, with the same values where they are
// live (liveness.h). If the events of the one, B, are events of the other, A, in the same
// order, and what A has besides is reads and fences only, then all that can follow A can
// follow B, and the executions are at least as many: taking a read or a fence out of a
// consistent execution takes edges out of every relation that an axiom wants acyclic or
// empty, and adds none. The same is true of an access that orders less: a plain load in
// the place of a load-exclusive or a locked one that was not followed by its store. (A
// write is different: another thread may have read it.) And nothing may depend on more
// reads in B than it does in A.
//
// So a compare-and-swap loop whose swap fails leads nowhere new: what it has found out
// the load before the loop could have found out as well.
//
// That a path is covered by one that is covered by the first is impossible: B must be
// less than A in this order: fewer events, then fewer jumps back, then fewer choices, then
// choices that come first. Both go on in the same way, so the same is true of the whole
// paths.
#include "loops.h"

#include <tuple>

namespace heddle::litmus::hardware {
namespace {

// Null where it was never written.
const Byte *FindByte(const MachineState &state, uint64_t address) {
  auto byte = state.memory.find(address);
  return byte == state.memory.end() ? nullptr : &byte->second;
}

bool MonitorIsLive(const Live &live) { return live.registers.count(MachineState::kMonitor); }

bool SameValues(const MachineState &a, const MachineState &b, const Live &live) {
  if (a.pc != b.pc)
    return false;
  for (int number : live.registers)
    if (number != MachineState::kMonitor && a.words[number].value != b.words[number].value)
      return false;
  for (uint64_t address : live.bytes) {
    const Byte *x = FindByte(a, address), *y = FindByte(b, address);
    if (!x != !y || (x && x->value != y->value))
      return false;
  }
  if (!MonitorIsLive(live))
    return true;
  return a.monitor.has_value() == b.monitor.has_value() &&
         (!a.monitor ||
          (a.monitor->address == b.monitor->address && a.monitor->size == b.monitor->size));
}

uint64_t HashValues(const MachineState &state, const Live &live) {
  // FNV-1a, by words.
  uint64_t hash = 0xcbf29ce484222325;
  auto add = [&](uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
  add(state.pc);
  for (int number : live.registers)
    if (number != MachineState::kMonitor)
      add(state.words[number].value);
  for (uint64_t address : live.bytes)
    if (const Byte *byte = FindByte(state, address))
      add(byte->value);
  return hash;
}

// Whether `less` orders no more than `more`, and is otherwise the same.
bool OrdersNoMore(const Event &less, const Event &more) {
  return less.kind == more.kind && less.location == more.location && less.value == more.value &&
         !(less.flags & ~more.flags) && !((less.flags ^ more.flags) & kNoReturn) &&
         less.fence == more.fence && less.before == more.before && less.after == more.after;
}

// Finds the events of one path among those of another.
class Embedding {
public:
  Embedding(const Arrival &less, const Arrival &more, const Live &live)
      : less_(less), more_(more), live_(live), place_(less.events.size()) {}

  bool Exists() {
    return Place(static_cast<int>(less_.events.size()) - 1,
                 static_cast<int>(more_.events.size()) - 1);
  }

private:
  // The event `index` and those before it, at `last` or before. What a register depends
  // on is often a read of the last round of a loop, so the last places are tried first.
  bool Place(int index, int last) {
    for (int at = last; at >= index; at--) {
      if (index >= 0 && OrdersNoMore(less_.events[index], more_.events[at])) {
        place_[index] = at;
        if (Place(index - 1, at - 1))
          return true;
      }
      if (at >= 0 && more_.events[at].kind == Event::Kind::kWrite)
        return false;
      if (at < 0)
        break;
    }
    return index < 0 && DependsOnNoMore();
  }

  Reads Map(Reads reads) const {
    Reads mapped = 0;
    for (size_t i = 0; i < place_.size(); i++)
      if (reads >> i & 1)
        mapped |= Reads{1} << place_[i];
    return mapped;
  }
  bool Within(Reads less, Reads more) const { return !(Map(less) & ~more); }
  bool Within(const Word &less, const Word &more) const {
    return Within(less.reads, more.reads) && Within(less.picked, more.picked);
  }

  bool DependsOnNoMore() const {
    for (size_t i = 0; i < place_.size(); i++) {
      const Incoming &a = less_.incoming[i], &b = more_.incoming[place_[i]];
      if (!Within(a.addr, b.addr) || !Within(a.data, b.data) || !Within(a.ctrl, b.ctrl) ||
          Map(a.rmw) != b.rmw)
        return false;
    }
    const MachineState &less = less_.state, &more = more_.state;
    for (int number : live_.registers)
      if (number != MachineState::kMonitor && !Within(less.words[number], more.words[number]))
        return false;
    for (uint64_t address : live_.bytes)
      if (const Byte *byte = FindByte(less, address))
        if (!Within(*byte, *FindByte(more, address)))
          return false;
    if (MonitorIsLive(live_) && less.monitor &&
        (place_[less.monitor->read] != more.monitor->read ||
         !Within(less.monitor->picked, more.monitor->picked)))
      return false;
    for (const auto &[location, write] : less.local_writes) {
      auto other = more.local_writes.find(location);
      if (other == more.local_writes.end() || !Within(write.value, other->second.value) ||
          !Within(write.read, other->second.read))
        return false;
    }
    return Within(less.control, more.control) && Within(less.picked_acquires, more.picked_acquires);
  }

  const Arrival &less_, &more_;
  const Live &live_;
  std::vector<int> place_; // by event of `less_`
};

bool IsLess(const Arrival &a, const Arrival &b) {
  const size_t events[] = {a.events.size(), b.events.size()};
  const size_t answers[] = {a.answers.size(), b.answers.size()};
  return std::tie(events[0], a.jumps, answers[0], a.answers) <
         std::tie(events[1], b.jumps, answers[1], b.answers);
}

} // namespace

bool Arrivals::IsCovered(const Arrival &arrival, const Live &live) {
  const uint64_t hash = HashValues(arrival.state, live);
  auto [begin, end] = followed_.equal_range(hash);
  bool is_known = false; // other paths begin with it
  for (auto other = begin; other != end; other++) {
    const Arrival less = other->second.View();
    if (IsLess(less, arrival) && SameValues(less.state, arrival.state, live) &&
        Embedding(less, arrival, live).Exists())
      return true;
    is_known |= less.steps == arrival.steps && less.answers == arrival.answers;
  }
  if (!is_known)
    followed_.insert({hash,
                      {arrival.state, arrival.events, arrival.incoming, arrival.answers,
                       arrival.jumps, arrival.steps}});
  return false;
}

} // namespace heddle::litmus::hardware
