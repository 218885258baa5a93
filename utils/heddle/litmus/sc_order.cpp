#include "candidate.h"

namespace heddle::litmus::axiomatic {

bool ScOrder::ExistsInCxx11(const Relation &past) {
  edges_ = Relation(c_.size);
  AddPast(past); // and so sc agrees with hb
  AddFenceRules();
  return Acyclic() && PlaceReads(c_.reads & ~c_.rmws & c_.sc_events);
}

// acyclic(hb | sc | rf), or acyclic(sb | asw | rf | mo | sc): `past` is the other
// relations and acyclic. As sc is total, wherever they lead from one seq_cst event to
// another, sc must too, and then no cycle is left.
void ScOrder::AddPast(const Relation &past) {
  for (int e : Each(c_.sc_events))
    edges_.Add(e, past[e] & c_.sc_events);
}

// C++11 29.3 [atomics.order] p4 to p7, with LWG 2130, and that sc agrees with mo.
// For writes w mo v of a location, all of them put "something about w" before
// "something about v" in sc: the write itself, if it is seq_cst, or a seq_cst
// fence of its thread, sequenced before w or after v. About w is also what reads
// from it.
void ScOrder::AddFenceRules() {
  for (int v : Each(c_.writes)) {
    EventSet write = Singleton(v) & c_.sc_events;
    EventSet fences_after = c_.sb[v] & c_.sc_fences;
    if (!write && !fences_after)
      continue;
    for (int w : Each(c_.mo_before[v])) {
      // sc agrees with mo. p7: not v sc F sb w, v sb F sc w, or v sb F sc G sb w.
      EventSet first = (Singleton(w) & c_.sc_events) | (c_.sb_before[w] & c_.sc_fences);
      EventSet reads = 0;
      for (int r : Each(c_.readers[w] & ~c_.rmws)) {
        // p4 and p6: r does not read from v or later, so neither v sc F sb r nor
        // v sb F sc G sb r.
        first |= c_.sb_before[r] & c_.sc_fences;
        // p5: a seq_cst r does not read from v or later, so not v sb F sc r.
        reads |= Singleton(r) & c_.sc_events;
      }
      // A read-modify-write that reads from w needs nothing more: it is v, or it
      // is itself before v in mo, and had its turn as w.
      edges_.AddProduct(first, write | fences_after);
      edges_.AddProduct(reads, fences_after);
    }
  }
}

// C++11 29.3p3 for `reads`, seq_cst reads that are no read-modify-writes: W being
// the last seq_cst write of the location before the read in sc, it reads from W
// or from a write that is not seq_cst and does not happen before W; if there is
// no W, from one that is not seq_cst. The seq_cst writes are in sc as they are in
// mo, so the question is between which of them the read goes, and where that is
// more than one stretch, all must be tried.
//
// A read-modify-write has no choice: it is itself one of the writes, and the W
// before it is rf, or before rf in mo, so that rf does not happen before it.
bool ScOrder::PlaceReads(EventSet reads) {
  if (!reads)
    return true;
  int r = *Each(reads).begin();
  reads &= reads - 1;
  int rf = c_.rf[r];
  bool rf_is_sc = Contains(c_.sc_events, rf);
  // Place k is after writes[k - 1] and before writes[k].
  PerEvent<int> writes;
  int location = c_.events[r].location;
  int count = __builtin_popcountll(c_.writes_of[location] & c_.sc_events);
  for (int w = c_.mo_last[location], k = count; k > 0; w = c_.mo_previous[w])
    if (Contains(c_.sc_events, w))
      writes[--k] = w;
  auto allowed = [&](int k) {
    if (k == 0)
      return !rf_is_sc;
    return rf_is_sc ? writes[k - 1] == rf : !c_.hb.Has(rf, writes[k - 1]);
  };
  for (int first = 0; first <= count; first++) {
    if (!allowed(first))
      continue;
    int last = first;
    while (last < count && allowed(last + 1))
      last++;
    Relation saved = edges_;
    if (first > 0)
      edges_.Add(writes[first - 1], r);
    if (last < count)
      edges_.Add(r, writes[last]);
    if (Acyclic() && PlaceReads(reads))
      return true;
    edges_ = saved;
    first = last;
  }
  return false;
}

// C++20 [atomics.order]p4.
bool ScOrder::ExistsInCxx20(const Relation *past) {
  edges_ = Relation(c_.size);
  if (past)
    AddPast(*past);
  AddStronglyHappensBefore();
  AddCoherenceOrderedBefore();
  return Acyclic();
}

// "First, if A and B are seq_cst operations and A strongly happens before B, then
// A precedes B." By [intro.races], A strongly happens before B by sb, by sw if
// both are seq_cst, by sb and hb and sb, and by chains of these. In a chain,
// neighbours join to one of the three or meet in a seq_cst event, so that the
// three give all edges that sc needs.
void ScOrder::AddStronglyHappensBefore() {
  PerEvent<EventSet> hb_sb;
  for (int e = 0; e < c_.size; e++) {
    hb_sb[e] = 0;
    for (int to : Each(c_.hb[e]))
      hb_sb[e] |= c_.sb[to];
  }
  for (int a : Each(c_.sc_events)) {
    EventSet after = c_.sb[a] | c_.sw[a];
    for (int via : Each(c_.sb[a]))
      after |= hb_sb[via];
    edges_.Add(a, after & c_.sc_events);
  }
}

// "Second, for every pair of atomic operations A and B on an object M, where A is
// coherence-ordered before B", A if it is seq_cst, or a seq_cst fence that happens
// before A, precedes B if it is seq_cst, or a seq_cst fence that B happens before
// (p4.1 to p4.4).
void ScOrder::AddCoherenceOrderedBefore() {
  PerEvent<EventSet> fences_before{};
  for (int fence : Each(c_.sc_fences))
    for (int e : Each(c_.hb[fence]))
      fences_before[e] |= Singleton(fence);
  auto first = [&](int a) { return (Singleton(a) & c_.sc_events) | fences_before[a]; };
  auto second = [&](int b) { return (Singleton(b) & c_.sc_events) | (c_.hb[b] & c_.sc_fences); };

  // p3: A is coherence-ordered before B if B reads from A, or the write that A
  // shows precedes the one that B shows. For two writes that is p3.2, for a read
  // and a write p3.3, and where B is a read, these followed by p3.1 (p3.4).
  PerEvent<EventSet> shown_first, shown_second;
  for (int w : Each(c_.writes)) {
    EventSet reads_first = 0, reads_second = 0;
    for (int r : Each(c_.readers[w] & ~c_.rmws)) {
      reads_first |= first(r);
      reads_second |= second(r);
    }
    edges_.AddProduct(first(w), reads_second);
    shown_first[w] = first(w) | reads_first;
    shown_second[w] = second(w) | reads_second;
  }
  for (int v : Each(c_.writes))
    for (int w : Each(c_.mo_before[v]))
      edges_.AddProduct(shown_first[w], shown_second[v]);
}

} // namespace heddle::litmus::axiomatic
