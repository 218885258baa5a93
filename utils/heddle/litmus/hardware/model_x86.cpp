// x86: TSO.
//
// Sources: Owens, Sarkar, Sewell, "A Better x86 Memory Model: x86-TSO", TPHOLs 2009; Sewell,
// Sarkar, Owens, Zappa Nardelli, Myreen, "x86-TSO: A Rigorous and Usable Programmer's Model
// for x86 Multiprocessors", CACM 2010. In the form of "Herding Cats" (TOPLAS 2014):
//
// - SC per location and atomicity: built into the enumeration.
// - Program order but from a write to a later read, what an mfence or an instruction
//   with a lock prefix has before it and behind it (xchg with memory is locked, too),
//   rfe, co and fr are acyclic together: the memory order.
//
// That a read of the thread's own last write, still in its buffer, is not in the memory
// order behind the write is why rfi is left out.
//
// Left out: non-temporal stores, write-combining memory, strings, mixed sizes. lfence
// and sfence order nothing more here and are no events of a trace.
#include "candidate.h"

namespace heddle::litmus::hardware {
namespace {

class X86Judge : public Judge {
public:
  void Prepare(const Candidate &candidate) override {
    RequireFences(candidate, {Fence::kX86Full}, "x86-TSO");
    const Relation &po = candidate.po;
    EventSet all = candidate.Accesses();
    EventSet locked = candidate.Flagged(kAtomic);
    local_ = Restrict(all,
                      Restrict(candidate.reads, po, all) | Restrict(all, po, candidate.writes) |
                          ComposeVia(po, candidate.Fences(Fence::kX86Full), po) |
                          Restrict(locked, po, all) | Restrict(all, po, locked),
                      all);
  }

  bool Consistent(const Candidate &candidate) const override {
    Relation order = local_ | candidate.External(candidate.rf) | candidate.co | candidate.fr;
    return order.Acyclic(candidate.Accesses());
  }

private:
  Relation local_;
};

} // namespace

std::unique_ptr<Judge> MakeX86Judge() { return std::make_unique<X86Judge>(); }

} // namespace heddle::litmus::hardware
