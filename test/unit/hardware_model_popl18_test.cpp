// The model of AArch64 is written with local successors, as the manual has it today;
// "Simplifying ARM Concurrency" (POPL 2018) has rfi and coi in their place. Both accept
// the same executions: tried here on all coherent candidates of random programs, with the
// paper's formulas, but for one, written down once more.

#include "hardware_model_testing.h"
#include "heddle/litmus/hardware/candidate.h"

#include <gtest/gtest.h>

#include <random>

namespace {
using namespace heddle::litmus::hardware;

bool Popl18(const Candidate &c) {
  EventSet all = c.Accesses(), r = c.reads, w = c.writes;
  EventSet acquire = r & c.Flagged(kAcquire), release = w & c.Flagged(kRelease);
  EventSet acquires = r & c.Flagged(kAcquire | kAcquirePc);
  Relation rfi = c.Internal(c.rf), coi = c.Internal(c.co);
  Relation observed = c.External(c.rf | c.fr | c.co);
  Relation addr_po = Compose(c.addr, c.po);
  Relation dob = c.addr | c.data | Restrict(all, c.ctrl, w) |
                 Restrict(all, ComposeVia(c.ctrl | addr_po, c.Fences(Fence::kArmIsb), c.po), r) |
                 Restrict(all, addr_po, w) | Compose(c.ctrl | c.data, coi) |
                 Compose(c.addr | c.data, rfi);
  // The paper has [range(rmw)]; rfi; [A | Q], which the manual has weakened.
  Relation aob = c.rmw | Restrict(r, Compose(c.rmw, rfi), acquires);
  auto through = [&](Fence fence) { return ComposeVia(c.po, c.Fences(fence), c.po); };
  Relation bob = through(Fence::kArmFull) | Restrict(release, c.po, acquire) |
                 Restrict(r, through(Fence::kArmLoad), all) | Restrict(acquires, c.po, all) |
                 Restrict(w, through(Fence::kArmStore), w) | Restrict(all, c.po, release) |
                 ComposeVia(c.po, release, coi);
  return Restrict(all, observed | dob | aob | bob, all).Acyclic(all);
}

class RandomArmCode {
public:
  explicit RandomArmCode(uint64_t seed) : random_(seed) {}

  std::vector<Code> Threads(int events) {
    std::vector<Code> threads(2 + Below(2));
    std::vector<std::vector<int>> reads(threads.size());
    for (int value = 1; events > 0; events--) {
      size_t t = Below(static_cast<int>(threads.size()));
      Code &code = threads[t];
      int index = static_cast<int>(code.Operations().size());
      switch (Below(10)) {
      case 0:
        code.F(Below(2) ? Fence::kArmIsb : Fence::kArmFull);
        break;
      case 1:
        code.F(Below(2) ? Fence::kArmLoad : Fence::kArmStore);
        break;
      case 2:
        code.Swap(Place(), value++, kExclusive | Pick({0, kAcquire}),
                  kExclusive | Pick({0, kRelease}));
        reads[t].push_back(index);
        events--;
        break;
      case 3:
      case 4:
      case 5:
        code.W(Place(), value++, Pick({0, 0, kRelease}));
        break;
      default:
        code.R(Place(), Pick({0, 0, 0, kAcquire, kAcquirePc}));
        Depend(&code, reads[t]);
        reads[t].push_back(index);
        continue;
      }
      Depend(&code, reads[t]);
    }
    return threads;
  }

private:
  int Below(int limit) { return static_cast<int>(random_() % limit); }
  // Mostly two locations, so that threads meet.
  int Place() { return Below(8) ? Below(2) : Z; }
  uint32_t Pick(std::vector<uint32_t> flags) {
    return flags[Below(static_cast<int>(flags.size()))];
  }

  // The last event on one of the reads before it, often.
  void Depend(Code *code, const std::vector<int> &reads) {
    int last = static_cast<int>(code->Operations().size()) - 1;
    const Event &event = code->Operations()[last].event;
    if (reads.empty() || reads.back() >= last)
      return;
    int read = reads[Below(static_cast<int>(reads.size()))];
    bool swaps = event.flags & kExclusive; // its first half, the read, would need it
    switch (Below(5)) {
    case 0:
      if (event.kind != Event::Kind::kFence)
        code->Addr(read);
      break;
    case 1:
      if (event.kind == Event::Kind::kWrite && !swaps)
        code->Data(read);
      break;
    case 2:
      code->Ctrl(read);
      break;
    default:
      break;
    }
  }

  std::mt19937_64 random_;
};

struct Counts {
  int candidates = 0, consistent = 0;
};

void CompareAll(const HardwareProgram &program, Counts *counts) {
  std::unique_ptr<Judge> judge = MakeAArch64Judge();
  ForEachCombination(program, [&](const std::vector<const Trace *> &traces) {
    Candidate candidate(program, traces);
    judge->Prepare(candidate);
    std::function<void(const Candidate &, int)> choose = [&](const Candidate &partial,
                                                             int location) {
      if (location == static_cast<int>(program.locations.size())) {
        bool consistent = judge->Consistent(partial);
        EXPECT_EQ(consistent, Popl18(partial));
        counts->candidates++;
        counts->consistent += consistent;
        return;
      }
      for (const LocationChoice &choice : ChoicesOf(candidate, location)) {
        Candidate next = partial;
        Apply(choice, &next);
        choose(next, location + 1);
      }
    };
    choose(candidate, 0);
    return true;
  });
}

TEST(HardwareModelPopl18, TheSameExecutions) {
  Counts counts;
  for (uint64_t seed = 0; seed < 3000 && !HasFailure(); seed++) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<Code> threads = RandomArmCode(seed).Threads(10);
    CompareAll(MakeProgram(threads), &counts);
  }
  // Both verdicts must be common, or nothing was compared.
  EXPECT_GT(counts.consistent, 1000);
  EXPECT_GT(counts.candidates - counts.consistent, 1000);
}

} // namespace
