#include "whole_execution.h"

#include <unordered_set>

namespace heddle::litmus {
namespace {

using Set = WholeExecution::Set;
using Kind = WholeExecution::Kind;
template <class T> using PerEvent = WholeExecution::PerEvent<T>;

constexpr Set One(int event) { return Set{1} << event; }
constexpr bool Has(Set set, int event) { return set >> event & 1; }

template <class Visitor> void ForEach(Set set, Visitor visit) {
  for (; set; set &= set - 1)
    visit(__builtin_ctz(set));
}

// A relation on the events of an execution, by rows.
using Rows = PerEvent<Set>;

// Makes a relation transitive. Warshall's.
void Close(int size, Rows *rows) {
  for (int via = 0; via < size; via++)
    if (Set to = (*rows)[via])
      for (int from = 0; from < size; from++)
        if (Has((*rows)[from], via))
          (*rows)[from] |= to;
}

bool Irreflexive(int size, const Rows &rows) {
  for (int e = 0; e < size; e++)
    if (Has(rows[e], e))
      return false;
  return true;
}

// Whether a relation has no cycle within `events`.
bool Acyclic(const Rows &rows, Set events) {
  while (events) {
    Set targets = 0;
    ForEach(events, [&](int e) { targets |= rows[e]; });
    Set minimal = events & ~targets;
    if (!minimal)
      return false;
    events &= ~minimal;
  }
  return true;
}

class Checker {
public:
  Checker(const WholeExecution &execution, const C11Axioms &axioms) : x_(execution), a_(axioms) {}

  bool IsAllowed() {
    return RmwsAreAtomic() && NoLoadBuffering() && HappensBeforeIsIrreflexive() && IsCoherent() &&
           ScExists();
  }

private:
  bool RmwsAreAtomic();
  bool NoLoadBuffering();
  bool HappensBeforeIsIrreflexive();
  bool IsCoherent();
  bool ScExists();

  Set MoBefore(int write) const;
  // What coherence and atomicity know of fr.
  Set CoherentFr(int read) const {
    return a_.model == C11Model::kLitmustestgen && x_.rf[read] < 0 ? 0 : x_.fr[read];
  }
  Set Heads(int write) const;
  bool ScExistsInCxx20() const;
  bool ScExistsInC11() const;
  bool ScIsPartialOrder() const;
  // What a seq_cst fence stands for: itself, and the fences sequenced before or
  // after an event.
  Set ScAndFencesBefore(int e) const { return (One(e) & sc_) | (sb_before_[e] & sc_fences_); }
  Set ScAndFencesAfter(int e) const { return (One(e) & sc_) | (x_.sb[e] & sc_fences_); }

  const WholeExecution &x_;
  const C11Axioms &a_;
  Rows sw_{}, hb_{}, sb_rf_{}, eco_{}, sb_before_{};
  Set sc_ = 0, sc_fences_ = 0;
};

Set Checker::MoBefore(int write) const {
  Set before = 0;
  for (int e = 0; e < x_.size; e++)
    if (Has(x_.mo[e], write))
      before |= One(e);
  return before;
}

// A read-modify-write reads from the write just before it.
bool Checker::RmwsAreAtomic() {
  for (int u = 0; u < x_.size; u++) {
    if (x_.kind[u] != Kind::kRmw)
      continue;
    int rf = x_.rf[u];
    if (rf >= 0 && !Has(x_.mo[rf], u))
      return false;
    if (CoherentFr(u) & MoBefore(u))
      return false;
  }
  return true;
}

bool Checker::NoLoadBuffering() {
  if (!a_.no_load_buffering)
    return true;
  sb_rf_ = x_.sb;
  for (int r = 0; r < x_.size; r++)
    if (x_.Reads(r) && x_.rf[r] >= 0)
      sb_rf_[x_.rf[r]] |= One(r);
  Close(x_.size, &sb_rf_);
  return Irreflexive(x_.size, sb_rf_);
}

// The writes whose release sequences have this one.
Set Checker::Heads(int write) const {
  Set heads = One(write);
  if (a_.release_sequence == ReleaseSequence::kCxx20) {
    // No cycle: every read-modify-write is after what it reads from in mo.
    while (x_.kind[write] == Kind::kRmw && x_.rf[write] >= 0) {
      write = x_.rf[write];
      heads |= One(write);
    }
    return heads;
  }
  ForEach(MoBefore(write), [&](int head) {
    bool unbroken = true;
    ForEach(x_.mo[head], [&](int w) {
      if ((w == write || Has(x_.mo[w], write)) && x_.thread[w] != x_.thread[head] &&
          x_.kind[w] != Kind::kRmw)
        unbroken = false;
    });
    if (unbroken)
      heads |= One(head);
  });
  return heads;
}

bool Checker::HappensBeforeIsIrreflexive() {
  Set fences_rel = 0, fences_acq = 0;
  for (int e = 0; e < x_.size; e++) {
    if (x_.order[e] == Order::kSeqCst)
      sc_ |= One(e);
    ForEach(x_.sb[e], [&](int later) { sb_before_[later] |= One(e); });
    if (x_.kind[e] != Kind::kFence)
      continue;
    if (IsRelease(x_.order[e]))
      fences_rel |= One(e);
    if (IsAcquire(x_.order[e]))
      fences_acq |= One(e);
    sc_fences_ |= One(e) & sc_;
  }
  for (int r = 0; r < x_.size; r++) {
    if (!x_.Reads(r) || x_.rf[r] < 0)
      continue;
    Set targets = x_.sb[r] & fences_acq;
    if (IsAcquire(x_.order[r]))
      targets |= One(r);
    if (!targets)
      continue;
    ForEach(Heads(x_.rf[r]), [&](int head) {
      if (x_.thread[head] == x_.thread[r])
        return;
      if (IsRelease(x_.order[head]))
        sw_[head] |= targets;
      ForEach(sb_before_[head] & fences_rel, [&](int fence) { sw_[fence] |= targets; });
    });
  }
  for (int e = 0; e < x_.size; e++)
    hb_[e] = x_.sb[e] | sw_[e];
  Close(x_.size, &hb_);
  return Irreflexive(x_.size, hb_);
}

// CoWW, CoWR, CoRW and CoRR at once: what comes first in the coherence order of a
// location does not happen later.
bool Checker::IsCoherent() {
  for (int e = 0; e < x_.size; e++) {
    if (x_.Writes(e))
      eco_[e] |= x_.mo[e];
    if (!x_.Reads(e))
      continue;
    eco_[e] |= CoherentFr(e);
    if (x_.rf[e] >= 0)
      eco_[x_.rf[e]] |= One(e);
  }
  Close(x_.size, &eco_);
  for (int a = 0; a < x_.size; a++)
    for (Set rest = eco_[a]; rest; rest &= rest - 1)
      if (Has(hb_[__builtin_ctz(rest)], a))
        return false;
  return true;
}

bool Checker::ScExists() {
  if (!sc_)
    return true;
  switch (a_.model) {
  case C11Model::kCxx20:
    return ScExistsInCxx20();
  case C11Model::kC11:
    return ScExistsInC11();
  case C11Model::kPartialSc:
  case C11Model::kLitmustestgen:
    return ScIsPartialOrder();
  }
  return true;
}

// C++20 [atomics.order]p4, as ScOrder::ExistsInCxx20 explains it.
bool Checker::ScExistsInCxx20() const {
  Rows edges{}, first{}, second{};
  Rows hb_sb{};
  for (int e = 0; e < x_.size; e++) {
    first[e] |= One(e) & sc_;
    second[e] = (One(e) & sc_) | (hb_[e] & sc_fences_);
    if (Has(sc_fences_, e))
      ForEach(hb_[e], [&](int later) { first[later] |= One(e); });
    ForEach(hb_[e], [&](int later) { hb_sb[e] |= x_.sb[later]; });
  }
  // Strongly happens before.
  ForEach(sc_, [&](int a) {
    edges[a] = x_.sb[a] | sw_[a];
    ForEach(x_.sb[a], [&](int via) { edges[a] |= hb_sb[via]; });
  });
  // Coherence-ordered before.
  for (int a = 0; a < x_.size; a++) {
    if (!first[a])
      continue;
    Set to = 0;
    ForEach(eco_[a], [&](int b) { to |= second[b]; });
    ForEach(first[a], [&](int from) { edges[from] |= to; });
  }
  return Acyclic(edges, sc_);
}

bool Checker::ScIsPartialOrder() const {
  Rows edges{};
  ForEach(sc_, [&](int a) {
    Set starts = One(a);
    if (x_.kind[a] == Kind::kFence)
      starts |= x_.sb[a];
    ForEach(starts, [&](int start) {
      Set to = hb_[start];
      if (x_.Writes(start))
        to |= x_.mo[start];
      if (x_.Reads(start))
        to |= x_.fr[start];
      ForEach(to, [&](int end) { edges[a] |= ScAndFencesAfter(end); });
    });
    edges[a] &= ~One(a);
  });
  return Acyclic(edges, sc_);
}

// C++11 29.3 [atomics.order] p3 to p7. All but p3 say "this before that in sc". For
// p3, a seq_cst load depends on W, the last seq_cst store of its location before it;
// as sc agrees with mo, the set of events that are already in sc tells which one W
// is. So sc is built from its beginning, and what was tried is such a set.
bool Checker::ScExistsInC11() const {
  Rows edges{};
  for (int a = 0; a < x_.size; a++) {
    // With no_load_buffering, hb | rf | sc is acyclic, and not only sc agrees with
    // hb: the axiom of the C11Tester paper.
    edges[a] |= (a_.no_load_buffering ? sb_rf_[a] : hb_[a]) & sc_;
    if (x_.Writes(a))
      ForEach(x_.mo[a], [&](int b) {
        ForEach(ScAndFencesBefore(a), [&](int from) { edges[from] |= ScAndFencesAfter(b); });
      });
    if (x_.kind[a] == Kind::kRead)
      ForEach(x_.fr[a], [&](int b) {
        ForEach(sb_before_[a] & sc_fences_, [&](int from) { edges[from] |= ScAndFencesAfter(b); });
        edges[a] |= Has(sc_, a) ? x_.sb[b] & sc_fences_ : 0;
      });
  }
  Rows before{};
  for (int a = 0; a < x_.size; a++)
    ForEach(edges[a], [&](int b) { before[b] |= One(a) & sc_; });
  auto may_follow = [&](int r, Set earlier) {
    int last = -1;
    ForEach(earlier, [&](int w) {
      if (x_.Writes(w) && x_.location[w] == x_.location[r] && (last < 0 || Has(x_.mo[last], w)))
        last = w;
    });
    int rf = x_.rf[r];
    if (rf == WholeExecution::kRemoved)
      return true;
    if (rf == WholeExecution::kInitial)
      return last < 0;
    return Has(sc_, rf) ? rf == last : last < 0 || !Has(hb_[rf], last);
  };
  std::unordered_set<Set> tried;
  auto extend = [&](auto &self, Set done) -> bool {
    if (done == sc_)
      return true;
    if (!tried.insert(done).second)
      return false;
    for (Set rest = sc_ & ~done; rest; rest &= rest - 1) {
      int e = __builtin_ctz(rest);
      if ((before[e] & ~done) || (x_.kind[e] == Kind::kRead && !may_follow(e, done)))
        continue;
      if (self(self, done | One(e)))
        return true;
    }
    return false;
  };
  return extend(extend, 0);
}

} // namespace

void WholeExecution::SetFr() {
  for (int r = 0; r < size; r++) {
    fr[r] = 0;
    if (!Reads(r) || rf[r] == kRemoved)
      continue;
    if (rf[r] >= 0) {
      fr[r] = mo[rf[r]];
    } else {
      for (int w = 0; w < size; w++)
        if (Writes(w) && location[w] == location[r])
          fr[r] |= One(w);
    }
    fr[r] &= ~One(r);
  }
}

WholeExecution WholeExecution::Without(int event) const {
  WholeExecution rest;
  rest.size = size - 1;
  auto shrink = [&](Set set) { return (set & (One(event) - 1)) | (set >> 1 & ~(One(event) - 1)); };
  for (int to = 0; to < rest.size; to++) {
    int from = to < event ? to : to + 1;
    rest.kind[to] = kind[from];
    rest.thread[to] = thread[from];
    rest.location[to] = location[from];
    rest.order[to] = order[from];
    rest.sb[to] = shrink(sb[from]);
    rest.mo[to] = shrink(mo[from]);
    rest.fr[to] = shrink(fr[from]);
    rest.rf[to] = rf[from] == event ? kRemoved : rf[from] > event ? rf[from] - 1 : rf[from];
  }
  return rest;
}

WholeExecution WholeExecution::Split(int rmw) const {
  WholeExecution split = *this;
  int store = split.size++;
  // The load keeps the number, the store gets the last one.
  Order whole = order[rmw];
  split.kind[rmw] = Kind::kRead;
  split.order[rmw] = whole == Order::kAcqRel    ? Order::kAcquire
                     : whole == Order::kRelease ? Order::kRelaxed
                                                : whole;
  split.kind[store] = Kind::kWrite;
  split.order[store] = whole == Order::kAcqRel    ? Order::kRelease
                       : whole == Order::kAcquire ? Order::kRelaxed
                                                  : whole;
  split.thread[store] = thread[rmw];
  split.location[store] = location[rmw];
  split.sb[store] = sb[rmw];
  split.mo[store] = mo[rmw];
  split.mo[rmw] = 0;
  split.fr[store] = 0;
  split.rf[store] = kInitial;
  for (int e = 0; e < size; e++) {
    if (Has(sb[e], rmw) || e == rmw)
      split.sb[e] |= One(store);
    auto move = [&](Set *set) {
      if (Has(*set, rmw))
        *set = (*set & ~One(rmw)) | One(store);
    };
    move(&split.mo[e]);
    move(&split.fr[e]);
    if (rf[e] == rmw && Reads(e))
      split.rf[e] = store;
  }
  // The load is before its own store if that follows what it reads from.
  if (rf[rmw] == kInitial || (rf[rmw] >= 0 && Has(mo[rf[rmw]], rmw)))
    split.fr[rmw] |= One(store);
  return split;
}

bool IsAllowed(const WholeExecution &execution, const C11Axioms &axioms) {
  return Checker(execution, axioms).IsAllowed();
}

} // namespace heddle::litmus
