// Armv7: not multi-copy atomic. A write may be seen by one other thread before it is
// seen by a third.
//
// Source: Alglave, Maranget, Tautschnig, "Herding Cats: Modelling, Simulation, Testing,
// and Data Mining for Weak Memory", TOPLAS 2014, sections 4 to 7, the model they propose
// for Arm: that of Power with Arm's fences, and without po-loc among what orders
// commits, since Arm processors were seen to do without.
//
// - SC per location and atomicity: built into the enumeration.
// - No thin air: hb = ppo | fences | rfe is acyclic.
// - Observation: fre; prop; hb* is irreflexive.
// - Propagation: co | prop is acyclic.
//
// Preserved program order (ppo) comes from four relations between the start (i, init) and
// the end (c, commit) of two accesses, the smallest that contain
//
//   from     base                                            and
//   i to i   addr, data, rdw, rfi                            ci, ic;ci, ii;ii
//   i to c   -                                               ii, cc, ic;cc, ii;ic
//   c to i   control with ISB, detour                        ci;ii, cc;ci
//   c to c   addr, data, control, addr;po                    ci, ci;ic, cc;cc
//
// where rdw is po-loc & (fre; rfe), two reads of different writes, and detour is
// po-loc & (coe; rfe), a read of a write that came after one's own. ppo is the ii from
// reads to reads and the ic from reads to writes.
//
// Propagation order (prop) has, with B = (fences | rfe; fences); hb*, the B between
// writes, and com*; B*; F; hb* for the full fences F. DMB and DSB are full fences, with
// ST for writes only. com is rf, co and fr.
//
// Left out: what is left out for AArch64. Code with load-acquire or store-release, which
// is for Armv8, is judged by the model of AArch64 (model.cpp).
#include "candidate.h"

namespace heddle::litmus::hardware {
namespace {

class Armv7Judge : public Judge {
public:
  void Prepare(const Candidate &candidate) override {
    RequireFences(candidate,
                  {Fence::kArmFull, Fence::kArmStore, Fence::kArmStoreDsb, Fence::kArmIsb},
                  "Armv7");
    EventSet store_fences =
        candidate.Fences(Fence::kArmStore) | candidate.Fences(Fence::kArmStoreDsb);
    EventSet all = candidate.Accesses(), writes = candidate.writes;
    const Relation &po = candidate.po;
    dependencies_ = candidate.addr | candidate.data;
    fences_ = Restrict(all, ComposeVia(po, candidate.Fences(Fence::kArmFull), po), all) |
              Restrict(writes, ComposeVia(po, store_fences, po), writes);
    control_isb_ =
        Restrict(all, ComposeVia(candidate.ctrl, candidate.Fences(Fence::kArmIsb), po), all);
    commits_ = Restrict(all, dependencies_ | candidate.ctrl | Compose(candidate.addr, po), all);
  }

  bool Consistent(const Candidate &candidate) const override {
    EventSet all = candidate.Accesses();
    Relation rfe = candidate.External(candidate.rf);
    Relation fre = candidate.External(candidate.fr);
    Relation happens_before = PreservedProgramOrder(candidate, rfe, fre) | fences_ | rfe;
    if (!happens_before.Acyclic(all))
      return false;
    Relation later = ReflexiveClosure(happens_before);
    Relation base = Compose(fences_ | Compose(rfe, fences_), later);
    Relation communication = ReflexiveClosure(candidate.rf | candidate.co | candidate.fr);
    Relation propagation = Restrict(candidate.writes, base, candidate.writes) |
                           Compose(communication, ReflexiveClosure(base), fences_, later);
    return Irreflexive(Compose(fre, propagation, later)) &&
           (candidate.co | propagation).Acyclic(all);
  }

private:
  Relation PreservedProgramOrder(const Candidate &candidate, const Relation &rfe,
                                 const Relation &fre) const {
    Relation rdw = candidate.po_loc & Compose(fre, rfe);
    Relation detour = candidate.po_loc & Compose(candidate.External(candidate.co), rfe);
    Relation ii = dependencies_ | rdw | candidate.Internal(candidate.rf);
    Relation ci = control_isb_ | detour;
    Relation cc = commits_;
    Relation ic(candidate.Size());
    // The least fixpoint: all grow until none does.
    for (;;) {
      Relation next_ii = ii | ci | Compose(ic, ci) | Compose(ii, ii);
      Relation next_ci = ci | Compose(ci, ii) | Compose(cc, ci);
      Relation next_ic = ic | ii | cc | Compose(ic, cc) | Compose(ii, ic);
      Relation next_cc = cc | ci | Compose(ci, ic) | Compose(cc, cc);
      bool done = Same(ii, next_ii) && Same(ci, next_ci) && Same(ic, next_ic) && Same(cc, next_cc);
      if (done)
        break;
      ii = next_ii, ci = next_ci, ic = next_ic, cc = next_cc;
    }
    return Restrict(candidate.reads, ii, candidate.reads) |
           Restrict(candidate.reads, ic, candidate.writes);
  }

  Relation dependencies_, fences_, control_isb_, commits_;
};

} // namespace

std::unique_ptr<Judge> MakeArmv7Judge() { return std::make_unique<Armv7Judge>(); }

} // namespace heddle::litmus::hardware
