// The search for consistent executions: combinations of traces, for each the ways in
// which each location's accesses fit together, and of those the products that the
// model's judge accepts. Locations are added one by one, and judged each time, so
// that what is wrong already is not completed.
#include "model.h"

#include "candidate.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace heddle::litmus::hardware {
namespace {

// Whether the code is for AArch32 of Armv8: Armv7 has no load-acquire, no
// store-release and no barrier for loads.
bool IsArmv8(const HardwareProgram &program) {
  for (const std::vector<Trace> &traces : program.threads)
    for (const Trace &trace : traces)
      for (const Event &event : trace.events)
        if (event.flags & (kAcquire | kAcquirePc | kRelease) || event.fence == Fence::kArmLoad)
          return true;
  return false;
}

std::unique_ptr<Judge> MakeJudge(const HardwareProgram &program, Architecture model) {
  switch (model) {
  case Architecture::kAArch64:
    return MakeAArch64Judge();
  case Architecture::kArm:
    return IsArmv8(program) ? MakeAArch64Judge() : MakeArmv7Judge();
  case Architecture::kRiscV:
    return MakeRiscVJudge();
  case Architecture::kX86:
    return MakeX86Judge();
  }
  return nullptr;
}

// All executions of one combination of traces.
class CombinationSearch {
public:
  CombinationSearch(const HardwareProgram &program, const std::vector<const Trace *> &traces)
      : program_(program), traces_(traces), candidate_(program, traces) {
    for (size_t i = 0; i < program.locations.size(); i++)
      choices_.push_back(ChoicesOf(candidate_, static_cast<int>(i)));
    // Those that leave the fewest choices first.
    order_.resize(choices_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::sort(order_.begin(), order_.end(), [&](int a, int b) {
      return std::pair(choices_[a].size(), a) < std::pair(choices_[b].size(), b);
    });
    chosen_.resize(choices_.size());
  }

  // The states in which the coherent candidates end, consistent or not.
  std::set<State> PossibleStates() {
    std::set<State> states;
    if (order_.empty() || !choices_[order_[0]].empty())
      AddStates(0, &states);
    return states;
  }

  // Calls `visit` for each consistent execution that ends in a state that `wanted`
  // wants, until it returns false.
  template <class Wanted, class Visitor>
  bool ForEach(Judge *judge, const Wanted &wanted, const Visitor &visit) {
    if (!order_.empty() && choices_[order_[0]].empty())
      return true;
    judge->Prepare(candidate_);
    // With no location, the traces alone.
    if (order_.empty() && !judge->Consistent(candidate_))
      return true;
    return Search(0, candidate_, *judge, wanted, visit);
  }

private:
  // States are products of what registers hold and what each observed location may
  // hold last.
  void AddStates(size_t index, std::set<State> *states) {
    if (index == choices_.size()) {
      states->insert(FinalState());
      return;
    }
    bool observed = false;
    for (const Observable &observable : program_.observed)
      observed |= observable.thread < 0 && observable.index == static_cast<int>(index);
    std::set<Value> seen;
    for (const LocationChoice &choice : choices_[index]) {
      if (!seen.insert(Last(choice)).second)
        continue;
      chosen_[index] = &choice;
      AddStates(index + 1, states);
      if (!observed)
        return;
    }
  }

  template <class Wanted, class Visitor>
  bool Search(size_t depth, const Candidate &candidate, const Judge &judge, const Wanted &wanted,
              const Visitor &visit) {
    if (depth == order_.size())
      return visit(candidate, FinalState());
    int location = order_[depth];
    for (const LocationChoice &choice : choices_[location]) {
      chosen_[location] = &choice;
      if (depth + 1 == order_.size() && !wanted(FinalState()))
        continue;
      Candidate next = candidate;
      Apply(choice, &next);
      if (judge.Consistent(next) && !Search(depth + 1, next, judge, wanted, visit))
        return false;
    }
    return true;
  }

  Value Last(const LocationChoice &choice) const {
    return candidate_.events[choice.order.back()].value;
  }

  State FinalState() const {
    State state;
    for (const Observable &observable : program_.observed)
      state.push_back(observable.thread < 0
                          ? Last(*chosen_[observable.index])
                          : traces_[observable.thread]->registers[observable.index]);
    return state;
  }

  const HardwareProgram &program_;
  const std::vector<const Trace *> &traces_;
  Candidate candidate_;
  std::vector<std::vector<LocationChoice>> choices_; // by location
  std::vector<int> order_;                           // of locations, in the search
  std::vector<const LocationChoice *> chosen_;       // by location
};

Outcome FindStates(const HardwareProgram &program, Judge *judge) {
  Outcome outcome;
  ForEachCombination(program, [&](const std::vector<const Trace *> &traces) {
    CombinationSearch search(program, traces);
    std::set<State> open = search.PossibleStates();
    for (auto at = open.begin(); at != open.end();)
      at = outcome.states.count(*at) ? open.erase(at) : std::next(at);
    if (open.empty())
      return true;
    search.ForEach(
        judge, [&](const State &state) { return open.count(state); },
        [&](const Candidate &, const State &state) {
          outcome.states[state] = 0;
          open.erase(state);
          return !open.empty();
        });
    return true;
  });
  return outcome;
}

// `visit` gets each execution as it stands in the search.
template <class Visitor>
bool ForEachCandidate(const HardwareProgram &program, Judge *judge, const Visitor &visit) {
  return ForEachCombination(program, [&](const std::vector<const Trace *> &traces) {
    return CombinationSearch(program, traces)
        .ForEach(judge, [](const State &) { return true; }, visit);
  });
}

} // namespace

Outcome RunHardware(const HardwareProgram &program, Architecture model, Counting counting) {
  std::unique_ptr<Judge> judge = MakeJudge(program, model);
  if (counting == Counting::kStates)
    return FindStates(program, judge.get());
  Outcome outcome;
  ForEachCandidate(program, judge.get(), [&](const Candidate &, const State &state) {
    outcome.states[state]++;
    outcome.executions++;
    return true;
  });
  return outcome;
}

bool ForEachHardwareExecution(const HardwareProgram &program, Architecture model,
                              const std::function<bool(const HardwareExecution &)> &visit) {
  std::unique_ptr<Judge> judge = MakeJudge(program, model);
  return ForEachCandidate(program, judge.get(), [&](const Candidate &candidate, State state) {
    return visit({candidate.events, candidate.po, candidate.addr, candidate.data, candidate.ctrl,
                  candidate.rmw, candidate.rf, candidate.co, candidate.fr, std::move(state)});
  });
}

const char *ModelName(const HardwareProgram &program, Architecture model) {
  switch (model) {
  case Architecture::kAArch64:
    return "AArch64";
  case Architecture::kArm:
    return IsArmv8(program) ? "AArch32" : "Armv7";
  case Architecture::kRiscV:
    return "RVWMO";
  case Architecture::kX86:
    return "x86-TSO";
  }
  return "";
}

} // namespace heddle::litmus::hardware
