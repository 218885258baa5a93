#include "axiomatic.h"

#include "candidate.h"

namespace heddle::litmus {

namespace {

using namespace axiomatic;

// Enumerates the candidates in nested steps, each of which turns back as soon as
// no completion can be consistent: what the threads do, with a write for each
// read (PreExecutions), an order of the writes of each location (ChooseMo), and
// then whether there is an sc (ScOrder). All return false to end everything.
class Enumerator {
public:
  // `found` is called for each consistent candidate, and says whether to go on.
  Enumerator(const Program &program, const AxiomaticOptions &options,
             std::function<bool(const Enumerator &)> found)
      : program_(program), model_(options.model),
        mo_is_global_(model_ == AxiomaticModel::kTsan11 || model_ == AxiomaticModel::kTsan20 ||
                      model_ == AxiomaticModel::kSc),
        release_sequence_(options.release_sequence),
        budget_(options.max_candidates ? options.max_candidates : UINT64_MAX),
        found_(std::move(found)), c_(program.locations.size()),
        pre_executions_(program, &c_, &budget_, [this] { return UseRf(); }), sc_order_(c_) {}

  // Whether the enumeration came to its natural end.
  bool Run() { return pre_executions_.Run(); }

  // What `found` may look at.
  void GetState(State *state) const;
  void GetExecution(Execution *execution) const;

private:
  bool UseRf();
  bool MakeBlocks();
  bool ChooseMo(size_t location, EventSet placed, int last, const Relation &past);
  bool UseMo(const Relation &past);
  bool ConsistentWithCxx11Sequences(const Relation &past);
  bool ScExists(const Relation &past);

  EventSet Cxx11Heads(int write) const;
  bool GetCoherencePredecessors(PerEvent<EventSet> *before) const;

  const Program &program_;
  const AxiomaticModel model_;
  // Whether the model orders mo together with sb and rf, so that an order of the
  // writes can be turned down while it grows.
  const bool mo_is_global_;
  const ReleaseSequence release_sequence_;
  uint64_t budget_;
  std::function<bool(const Enumerator &)> found_;

  Candidate c_;
  PreExecutions pre_executions_;
  // A read-modify-write follows the write it reads from in mo, immediately. So mo
  // is an order of blocks: a plain write, the read-modify-write that reads from
  // it, the one that reads from that...
  PerEvent<int> next_in_block_{};     // -1: none
  PerEvent<EventSet> block_before_{}; // by the plain write: what precedes the block
  ScOrder sc_order_;
};

bool Enumerator::UseRf() {
  c_.sb = Relation::FromPredecessors(c_.size, c_.sb_before);
  c_.sw = Relation::FromPredecessors(c_.size, c_.sw_before);
  c_.hb = Relation::FromPredecessors(c_.size, c_.hb_before);
  if (!MakeBlocks())
    return true;
  return ChooseMo(0, 0, -1, Relation::FromPredecessors(c_.size, c_.sb_rf_before));
}

// Sets before[w] to the writes that must precede w in mo by coherence, for hb as
// it is. False if a write would have to precede itself.
//
// Where a hb b are accesses of a location, the axioms say of the writes that they
// show (Candidate::Shows):
//   CoWW: a precedes b,       CoWR: a precedes or is rf(b),
//   CoRW: rf(a) precedes b,   CoRR: rf(a) precedes or is rf(b).
// For the read of a read-modify-write u, "precedes or is rf(u)" and "precedes u"
// are the same, as rf(u) and u are neighbours.
bool Enumerator::GetCoherencePredecessors(PerEvent<EventSet> *before) const {
  for (int w : Each(c_.writes))
    (*before)[w] = 0;
  for (EventSet accesses : c_.accesses_of) {
    for (int a : Each(accesses)) {
      int first = c_.Shows(a);
      for (int b : Each(c_.hb[a] & accesses)) {
        int second = c_.Shows(b);
        if (first != second)
          (*before)[second] |= Singleton(first);
        else if (second == b)
          return false; // CoRW: a reads from b, which it happens before
      }
    }
  }
  return true;
}

bool Enumerator::MakeBlocks() {
  PerEvent<EventSet> before;
  if (!GetCoherencePredecessors(&before))
    return false;
  for (int head : Each(c_.writes & ~c_.rmws)) {
    EventSet block = 0;
    for (int w = head; w >= 0; w = next_in_block_[w]) {
      EventSet rmw = c_.readers[w] & c_.rmws;
      next_in_block_[w] = rmw ? *Each(rmw).begin() : -1;
      block |= Singleton(w);
    }
    EventSet earlier = 0;
    block_before_[head] = 0;
    for (int w = head; w >= 0; w = next_in_block_[w]) {
      // RMW atomicity has ordered the block, and coherence must agree.
      if (before[w] & block & ~earlier)
        return false;
      block_before_[head] |= before[w] & ~block;
      earlier |= Singleton(w);
    }
  }
  return true;
}

// Appends a block to the order of `location`, which has the writes `placed` and
// ends with `last`. `past` is the closure of sb, asw, rf and, where mo is global,
// of mo and fr as far as they are chosen.
bool Enumerator::ChooseMo(size_t location, EventSet placed, int last, const Relation &past) {
  if (location == c_.writes_of.size())
    return SpendOne(&budget_) && UseMo(past);
  EventSet heads = c_.writes_of[location] & ~c_.rmws & ~placed;
  if (!heads) {
    c_.mo_last[location] = last;
    return ChooseMo(location + 1, 0, -1, past);
  }
  for (int head : Each(heads)) {
    if (block_before_[head] & ~placed)
      continue;
    EventSet now_placed = placed;
    int now_last = last;
    for (int w = head; w >= 0; w = next_in_block_[w]) {
      c_.mo_before[w] = now_placed;
      c_.mo_previous[w] = now_last;
      now_placed |= Singleton(w);
      now_last = w;
    }
    if (!mo_is_global_) {
      if (!ChooseMo(location, now_placed, now_last, past))
        return false;
      continue;
    }
    // kTsan11, kTsan20: acyclic(sb | asw | rf | mo | sc), of which sc comes later.
    // kSc: acyclic(sb | rf | mo | fr).
    Relation extended = past;
    bool acyclic = true;
    for (int w = head; w >= 0; w = next_in_block_[w]) {
      int previous = c_.mo_previous[w];
      if (previous < 0)
        continue;
      EventSet before = Singleton(previous);
      if (model_ == AxiomaticModel::kSc)
        before |= c_.readers[previous] & ~Singleton(w);
      for (int e : Each(before)) {
        acyclic &= !extended.Has(w, e);
        extended.AddClosed(e, w);
      }
    }
    if (acyclic && !ChooseMo(location, now_placed, now_last, extended))
      return false;
  }
  return true;
}

// That hb, or hb | rf for kC11Tester, is acyclic needs no check: hb is part of
// (sb | asw | rf)+, which is acyclic by construction. For C++20's release sequences,
// a read-modify-write reads from its predecessor. In C++11's there are also writes
// by the head's thread. They follow the head in mo, and so in sb (CoWW).
bool Enumerator::UseMo(const Relation &past) {
  if (release_sequence_ == ReleaseSequence::kCxx11) {
    Relation rf_sw = c_.sw, rf_hb = c_.hb;
    bool go_on = !ConsistentWithCxx11Sequences(past) || found_(*this);
    c_.sw = rf_sw;
    c_.hb = rf_hb;
    return go_on;
  }
  return !ScExists(past) || found_(*this);
}

// By C++11 1.10p7: after the head, every write up to `write` is by the head's
// thread or a read-modify-write. For a release fence the sequence is hypothetical
// and has the same writes.
EventSet Enumerator::Cxx11Heads(int write) const {
  EventSet heads = 0;
  // The thread of all plain writes from the head, which is not among them, to
  // `write`.
  bool any_thread = true;
  int thread = -1;
  for (int head = write; head >= 0; head = c_.mo_previous[head]) {
    int head_thread = c_.events[head].thread;
    if (any_thread || head_thread == thread)
      heads |= Singleton(head);
    else if (!Contains(c_.rmws, head))
      break;
    if (!Contains(c_.rmws, head)) {
      any_thread = false;
      thread = head_thread;
    }
  }
  return heads;
}

// With C++11's release sequences hb is more than rf had shown, and coherence is to
// be checked again.
bool Enumerator::ConsistentWithCxx11Sequences(const Relation &past) {
  for (int e = 0; e < c_.size; e++) {
    EventSet sources = 0;
    for (int r : Each(c_.acquired_reads[e]))
      for (int head : Each(Cxx11Heads(c_.rf[r])))
        sources |= c_.release_sources[head];
    for (int source : Each(sources & ~c_.sb_before[e])) {
      c_.sw.Add(source, e);
      c_.hb.AddClosed(source, e);
    }
  }
  PerEvent<EventSet> before;
  if (!GetCoherencePredecessors(&before))
    return false;
  for (int w : Each(c_.writes))
    if (before[w] & ~c_.mo_before[w])
      return false;
  return ScExists(past);
}

bool Enumerator::ScExists(const Relation &past) {
  if (model_ == AxiomaticModel::kSc || !c_.sc_events)
    return true;
  if (model_ == AxiomaticModel::kCxx20)
    return sc_order_.ExistsInCxx20(nullptr);
  if (model_ == AxiomaticModel::kTsan20)
    return sc_order_.ExistsInCxx20(&past);
  return sc_order_.ExistsInCxx11(past);
}

void Enumerator::GetState(State *state) const {
  state->clear();
  for (const Observable &observable : program_.observed) {
    if (observable.thread < 0)
      state->push_back(c_.events[c_.mo_last[observable.index]].written_value);
    else
      state->push_back(pre_executions_.Registers(observable.thread)[observable.index]);
  }
}

void Enumerator::GetExecution(Execution *execution) const {
  // In the candidate, the events of the threads are mixed.
  std::vector<int> numbers; // by event of the execution
  for (int thread = -1; thread < static_cast<int>(program_.threads.size()); thread++)
    for (int e = 0; e < c_.size; e++)
      if (c_.events[e].thread == thread)
        numbers.push_back(e);
  auto renumber = [&](const Relation &relation) {
    Relation renumbered(c_.size);
    for (int a = 0; a < c_.size; a++)
      for (int b = 0; b < c_.size; b++)
        if (relation.Has(numbers[a], numbers[b]))
          renumbered.Add(a, b);
    return renumbered;
  };
  Relation asw(c_.size), rf(c_.size), mo(c_.size), sc(c_.size);
  execution->events.clear();
  for (int e = 0; e < c_.size; e++) {
    execution->events.push_back(c_.events[numbers[e]]);
    if (!Contains(c_.initial, e))
      asw.AddProduct(c_.initial, Singleton(e));
  }
  for (int w : Each(c_.writes)) {
    rf.Add(w, c_.readers[w]);
    mo.AddProduct(c_.mo_before[w], Singleton(w));
  }
  if (model_ != AxiomaticModel::kSc && c_.sc_events) {
    PerEvent<int> order;
    int *end = sc_order_.Edges().Sort(c_.sc_events, order.data());
    EventSet earlier = 0;
    for (int *e = order.data(); e != end; e++) {
      sc.AddProduct(earlier, Singleton(*e));
      earlier |= Singleton(*e);
    }
  }
  execution->sb = renumber(c_.sb);
  execution->asw = renumber(asw);
  execution->rf = renumber(rf);
  execution->mo = renumber(mo);
  execution->sw = renumber(c_.sw);
  execution->hb = renumber(c_.hb);
  execution->sc = renumber(sc);
  GetState(&execution->state);
}

} // namespace

Outcome RunAxiomatic(const Program &program, const AxiomaticOptions &options, bool *complete) {
  Outcome outcome;
  State state;
  Enumerator enumerator(program, options, [&](const Enumerator &found) {
    found.GetState(&state);
    outcome.states[state]++;
    outcome.executions++;
    return true;
  });
  bool ended = enumerator.Run();
  if (complete)
    *complete = ended;
  return outcome;
}

bool ForEachConsistent(const Program &program, const AxiomaticOptions &options,
                       const std::function<bool(const Execution &)> &visit) {
  Execution execution;
  Enumerator enumerator(program, options, [&](const Enumerator &found) {
    found.GetExecution(&execution);
    return visit(execution);
  });
  return enumerator.Run();
}

} // namespace heddle::litmus
