// RISC-V: RVWMO.
//
// Source: "The RISC-V Instruction Set Manual, Volume I: Unprivileged ISA", chapter "RVWMO
// Memory Consistency Model" and its appendix. The manual speaks of a global memory order
// that includes preserved program order and that loads and stores agree with (load value
// axiom). There is one if and only if ppo, rfe, co and fr are acyclic together, in an
// execution that is coherent.
//
// Preserved program order, by the manual's numbers:
//
//    1  to a later store of the same location
//    2  between loads of the same location with no store between them that return
//       values of different writes
//    3  from an AMO's or SC's store to a load that reads it in the same hart
//    4  by a fence: those before it of the kinds it names, to those after
//    5  from an acquire, to all
//    6  to a release, from all
//    7  between accesses that are both RCsc
//    8  from LR to the SC that is paired with it
//    9  address dependency
//   10  data dependency
//   11  control dependency, to a store
//   12  to a load of a local store whose address or data depends on the first
//   13  to a store behind an access whose address depends on the first
//
// The annotations of AMOs, LR and SC are RCsc, all of them: a trace has kAcquirePc for
// an acquire that is RCpc, which no instruction has yet, and RCpc releases do not occur.
//
// An AMO is one memory operation that loads and stores (manual, "Memory Model Primitives").
// Its two events stand at the same place in the global memory order: what is before or
// behind one is before or behind the other. Models that order them as two events allow more,
// for instance a load that passes the store of an AMO with .aq.
//
// The atomicity axiom is built into the enumeration. The progress axiom excludes no
// finite execution. fence.i orders instruction fetches only. Left out: mixed sizes,
// I/O memory, Zacas' failures beyond what a plain load does, Ztso.
#include "candidate.h"

namespace heddle::litmus::hardware {
namespace {

class RiscVJudge : public Judge {
public:
  void Prepare(const Candidate &candidate) override {
    RequireFences(candidate, {Fence::kRiscV, Fence::kRiscVTso, Fence::kRiscVI}, "RVWMO");
    const Relation &po = candidate.po;
    EventSet all = candidate.Accesses(), reads = candidate.reads, writes = candidate.writes;
    Relation overwritten = ComposeVia(candidate.po_loc, writes, candidate.po_loc);
    same_location_loads_ = Restrict(reads, Without(candidate.po_loc, overwritten), reads);
    conditional_ = writes & candidate.Flagged(kAtomic | kExclusive);
    depending_ = Restrict(all, candidate.addr | candidate.data, writes);

    EventSet acquires = candidate.Flagged(kAcquire | kAcquirePc);
    EventSet releases = candidate.Flagged(kRelease);
    EventSet rcsc = candidate.Flagged(kAcquire | kRelease);
    local_ = Restrict(all, candidate.po_loc, writes) |           // 1
             Fences(candidate) |                                 // 4
             Restrict(acquires, po, all) |                       // 5
             Restrict(all, po, releases) |                       // 6
             Restrict(rcsc, po, rcsc) |                          // 7
             candidate.rmw |                                     // 8
             candidate.addr |                                    // 9
             candidate.data |                                    // 10
             Restrict(all, candidate.ctrl, writes) |             // 11
             Restrict(all, Compose(candidate.addr, po), writes); // 13
  }

  bool Consistent(const Candidate &candidate) const override {
    Relation rfi = candidate.Internal(candidate.rf);
    Relation order = local_ | DifferentWrites(candidate) |          // 2
                     Restrict(conditional_, rfi, candidate.reads) | // 3
                     Compose(depending_, rfi) |                     // 12
                     candidate.External(candidate.rf) | candidate.co | candidate.fr;
    MergeAtomics(candidate, &order);
    return order.Acyclic(candidate.Accesses());
  }

private:
  static Relation Fences(const Candidate &candidate) {
    Relation fenced(candidate.Size());
    for (int fence = 0; fence < candidate.Size(); fence++) {
      const Candidate::Event &event = candidate.events[fence];
      EventSet before = 0, after = candidate.po[fence];
      for (int i = 0; i < candidate.Size(); i++)
        if (candidate.po.Has(i, fence))
          before |= Singleton(i);
      auto add = [&](uint8_t kinds_before, uint8_t kinds_after) {
        fenced.AddProduct(before & Accesses(candidate, kinds_before),
                          after & Accesses(candidate, kinds_after));
      };
      if (event.fence == Fence::kRiscV)
        add(event.before, event.after);
      if (event.fence == Fence::kRiscVTso) {
        add(kReads, kReads | kWrites);
        add(kWrites, kWrites);
      }
    }
    return fenced;
  }

  static EventSet Accesses(const Candidate &candidate, uint8_t kinds) {
    return (kinds & kReads ? candidate.reads : 0) | (kinds & kWrites ? candidate.writes : 0);
  }

  // Only between reads whose writes are chosen already.
  Relation DifferentWrites(const Candidate &candidate) const {
    Relation different(candidate.Size());
    for (int first : Each(candidate.reads))
      for (int second : Each(same_location_loads_[first]))
        for (int source : Each(candidate.writes))
          if (candidate.rf.Has(source, second) && !candidate.rf.Has(source, first))
            different.Add(first, second);
    return different;
  }

  static void MergeAtomics(const Candidate &candidate, Relation *order) {
    EventSet single = candidate.Flagged(kAtomic);
    for (int read : Each(candidate.reads & single))
      for (int write : Each(candidate.rmw[read])) {
        EventSet pair = Singleton(read) | Singleton(write);
        Relation merged(candidate.Size());
        for (int i = 0; i < candidate.Size(); i++) {
          EventSet to =
              Contains(pair, i) ? ((*order)[read] | (*order)[write]) & ~pair : (*order)[i];
          merged.Add(i, !Contains(pair, i) && to & pair ? to | pair : to);
        }
        *order = merged;
      }
  }

  Relation local_, same_location_loads_, depending_;
  EventSet conditional_ = 0;
};

} // namespace

std::unique_ptr<Judge> MakeRiscVJudge() { return std::make_unique<RiscVJudge>(); }

} // namespace heddle::litmus::hardware
