// Which strategy, with which engine, an execution gets.
//
// Which one finds a bug soonest depends on the bug: a portfolio tries all in rotation, and gives
// more turns to those that show something new. Turns are divided by stride scheduling
// (C. Waldspurger, W. Weihl, MIT/LCS/TM-528, 1995): an arm with twice the weight has twice the
// turns, the order follows from the weights alone, and each has a turn sooner or later. The weight
// is a moving average of what its last executions have shown, from 1 to kMaxWeight.
#ifndef HEDDLE_HUNT_PORTFOLIO_H
#define HEDDLE_HUNT_PORTFOLIO_H

#include "options.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::hunt {

struct Arm {
  std::string name;   // "random+mograph+oldest"
  std::string engine; // what weak_memory= is; cannot change within a fork server
  Options options;    // without the seed
  // The seed does not determine it: each execution is recorded.
  bool recorded = false;
  double cost = 1; // of an execution, as that of the others
};

// How long executions are, from the first one.
struct Estimate {
  uint64_t operations = 1000, communications = 1000;
};

// The choices that `strategy`, `engine` and `policy` leave open; nothing leaves all open.
std::vector<Arm> MakeArms(const Estimate &estimate, const std::string &strategy,
                          const std::string &engine, const std::string &policy);
// For the first execution.
Arm EstimationArm(const std::string &engine);

// What an execution showed.
struct Novelty {
  bool finding = false; // that none before it had
  uint64_t reads_from = 0;
  bool schedule = false;
};

class Portfolio {
public:
  static constexpr double kMaxWeight = 16;

  explicit Portfolio(std::vector<Arm> arms);

  size_t Next();
  void Learn(size_t arm, const Novelty &novelty);

  const Arm &At(size_t arm) const { return entries_[arm].arm; }
  size_t Size() const { return entries_.size(); }

  struct Figures {
    uint64_t turns = 0, findings = 0, reads_from = 0, schedules = 0;
  };
  const Figures &FiguresOf(size_t arm) const { return entries_[arm].figures; }

private:
  struct Entry {
    Arm arm;
    double pass = 0;  // who has the least is next
    double score = 0; // 0 nothing new, 1 a finding each time
    Figures figures;
  };

  std::vector<Entry> entries_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_PORTFOLIO_H
