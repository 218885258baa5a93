// Many executions of a program, on all processors, and what they found.
#ifndef HEDDLE_HUNT_HUNT_H
#define HEDDLE_HUNT_HUNT_H

#include "catalog.h"
#include "executor.h"
#include "findings_store.h"
#include "investigation.h"
#include "portfolio.h"
#include "program_watch.h"
#include "settings.h"
#include "stop_switch.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heddle::hunt {

// Why a hunt ended.
enum class StopReason { kRuns, kTime, kBug, kSignal, kFailure };
const char *NameOf(StopReason reason);

struct ArmFigures {
  std::string name;
  Portfolio::Figures figures;
};

struct HuntResult {
  StopReason reason = StopReason::kRuns;
  int signal = 0;
  std::string failure; // why it could not go on
  uint64_t executions = 0;
  double seconds = 0;
  std::vector<Finding> findings;
  std::vector<ArmFigures> arms;
  std::optional<ExecutionStatistics> first; // of the first execution
};

// What is told while it goes on, by any thread.
class HuntListener {
public:
  virtual ~HuntListener() = default;
  virtual void Found(const Finding &finding, const std::string &how) = 0;
  virtual void Remark(const std::string &remark) = 0;
  // Several times a second.
  virtual void Progress(uint64_t executions, size_t findings, double seconds) = 0;
};

class Hunt {
public:
  Hunt(const HuntSettings &settings, const Program &program, const Environment &environment,
       FindingsStore &store, StopSwitch &stop, HuntListener &listener);
  ~Hunt();

  // Throws Failure if it cannot begin.
  HuntResult Run();

private:
  class Worker;
  friend class Worker;

  // Something that was not seen before, and the execution that showed it.
  struct New {
    Observation observation;
    Origin origin;
  };

  std::optional<New> TakeNew();
  // The number of an execution that is to be; nothing if there are to be no more.
  std::optional<uint64_t> TakeNumber();
  void End(StopReason reason, const std::string &failure = "");
  // Whether it was, which ends the hunt.
  bool ProgramChanged();
  double Seconds() const;
  // The first execution, by itself: how long they are, and whether the program can be used.
  void Begin();
  // That no execution has ended, and what was seen of the first one.
  std::string NothingTested() const;
  // Ends executions and shrinking, and recording some time later.
  void EndInTime(double seconds);
  void CheckFirst(const Execution &execution);
  // Each in a thread; meanwhile looks after time, signals and progress.
  void InThreads(const std::vector<std::function<void()>> &work);

  const HuntSettings &settings_;
  const Program &program_;
  const ProgramWatch watch_;
  const Environment &environment_;
  FindingsStore &store_;
  StopSwitch &stop_;  // ends everything at once
  StopSwitch enough_; // ends executions, but not what looks into their findings
  StopSwitch over_;   // the time is over: what was found is recorded, but not made simpler
  StopSwitch cut_;    // so is the time to record it
  const Descriptor stops_shrinking_, stops_recording_;
  HuntListener &listener_;
  ServerTrust trust_{[this](const std::string &remark) { listener_.Remark(remark); }};
  LeftBehind left_;
  StatisticsFile statistics_;
  Catalog catalog_;
  std::chrono::steady_clock::time_point start_;

  std::mutex mutex_; // for all below
  std::condition_variable ended_;
  std::unique_ptr<Portfolio> portfolio_;
  uint64_t next_ = 0;
  bool reason_known_ = false;
  HuntResult result_;
  std::vector<New> new_;       // what the first execution has shown, until a worker looks into it
  std::optional<Ended> first_; // how the first execution ended
  std::atomic<uint64_t> executions_{0};
  std::atomic<size_t> looking_{0}; // workers that look into something new
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_HUNT_H
