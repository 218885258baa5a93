// AArch64, and AArch32 on processors of Armv8: other-multi-copy atomic.
//
// Sources: Pulte, Flur, Deacon, French, Sarkar, Sewell, "Simplifying ARM Concurrency",
// POPL 2018; Arm Architecture Reference Manual for A-profile (DDI 0487), "Definition of
// the Armv8 memory model"; Alglave, Deacon, Grisenthwaite, Hacquard, Maranget, "Armed
// Cats", TOPLAS 2021.
//
// - Internal visibility (coherence) and atomicity: built into the enumeration.
// - External visibility: ordered-before is acyclic. Between threads it has rfe, fre and
//   coe. In a thread:
//   - local write successor: to a later write of the same location;
//   - dependencies: address and data; control and (address; po) to a write; control and
//     (address; po) through an ISB to a read; (address or data) to a write and on to
//     the reads that have it as their last local write;
//   - atomics: from the read to the write of a read-modify-write, and to an acquire
//     load that has that write as its last local write;
//   - barriers: DMB and DSB, full, LD and ST, where DMB ST is between writes and DSB ST from
//     writes to all that follows, which waits for it (DSB-ordered-before); an acquire is before all
//     that follows it and a release behind all that precedes it; a release is before a later
//     acquire (LDAR, not LDAPR); the write of an atomic instruction with both acquire and release
//     is before all that follows it, as after a full barrier.
//
// POPL 2018 has rfi and coi where this has local successors, as the manual has today; the
// executions are the same. Its rules know no atomic instructions but exclusives. It orders
// the write of a pair, not its read, before an acquire load of it, and so forbids more.
//
// The read of an atomic instruction without a result (STADD; LDADDA with WZR) is no
// load to DMB LD and has no acquire semantics (manual, "Load-Acquire" of LDADD).
//
// Left out: mixed sizes, device and non-cacheable memory, instruction fetch, page tables,
// tags, and which of DMB's domains are meant (all are the same here).
#include "candidate.h"

namespace heddle::litmus::hardware {
namespace {

// From a write to the reads of its location before the thread's next write to it.
Relation LocalReadSuccessors(const Candidate &candidate) {
  Relation overwritten = ComposeVia(candidate.po_loc, candidate.writes, candidate.po_loc);
  return Restrict(candidate.writes, Without(candidate.po_loc, overwritten), candidate.reads);
}

class AArch64Judge : public Judge {
public:
  void Prepare(const Candidate &candidate) override {
    RequireFences(
        candidate,
        {Fence::kArmFull, Fence::kArmLoad, Fence::kArmStore, Fence::kArmStoreDsb, Fence::kArmIsb},
        "AArch64");
    EventSet all = candidate.Accesses();
    local_ = Restrict(all,
                      Restrict(all, candidate.po_loc, candidate.writes) | Dependencies(candidate) |
                          Atomics(candidate) | Barriers(candidate),
                      all);
  }

  bool Consistent(const Candidate &candidate) const override {
    Relation ordered = local_ | candidate.External(candidate.rf | candidate.co | candidate.fr);
    return ordered.Acyclic(candidate.Accesses());
  }

private:
  static EventSet Returning(const Candidate &candidate) {
    return candidate.reads & ~candidate.Flagged(kNoReturn);
  }
  static EventSet Acquires(const Candidate &candidate, uint32_t flags) {
    return Returning(candidate) & candidate.Flagged(flags);
  }

  static Relation Dependencies(const Candidate &candidate) {
    EventSet all = candidate.Accesses();
    Relation value = candidate.addr | candidate.data;
    Relation late = candidate.ctrl | Compose(candidate.addr, candidate.po);
    Relation through_isb = ComposeVia(late, candidate.Fences(Fence::kArmIsb), candidate.po);
    return value | Restrict(all, late, candidate.writes) |
           Restrict(all, through_isb, candidate.reads) |
           Compose(value, LocalReadSuccessors(candidate));
  }

  static Relation Atomics(const Candidate &candidate) {
    EventSet acquires = Acquires(candidate, kAcquire | kAcquirePc);
    return candidate.rmw |
           Restrict(candidate.reads, Compose(candidate.rmw, LocalReadSuccessors(candidate)),
                    acquires);
  }

  static Relation Barriers(const Candidate &candidate) {
    const Relation &po = candidate.po;
    EventSet all = candidate.Accesses(), writes = candidate.writes;
    EventSet acquires = Acquires(candidate, kAcquire);
    EventSet releases = writes & candidate.Flagged(kRelease);
    Relation full = ComposeVia(po, candidate.Fences(Fence::kArmFull), po);
    Relation load = ComposeVia(po, candidate.Fences(Fence::kArmLoad), po);
    Relation store = ComposeVia(po, candidate.Fences(Fence::kArmStore), po);
    Relation store_dsb = ComposeVia(po, candidate.Fences(Fence::kArmStoreDsb), po);
    EventSet single = candidate.Flagged(kAtomic);
    EventSet both = Range(Restrict(acquires & single, candidate.rmw, releases & single));
    return full | Restrict(Returning(candidate), load, all) | Restrict(writes, store, writes) |
           Restrict(writes, store_dsb, all) |
           Restrict(Acquires(candidate, kAcquire | kAcquirePc), po, all) |
           Restrict(all, po, releases) | Restrict(releases, po, acquires) | Restrict(both, po, all);
  }

  Relation local_;
};

} // namespace

std::unique_ptr<Judge> MakeAArch64Judge() { return std::make_unique<AArch64Judge>(); }

} // namespace heddle::litmus::hardware
