#include "hunt.h"

#include "../threads.h"
#include "failure.h"
#include "files.h"
#include "investigation.h"
#include "server_executor.h"

#include <exception>
#include <new>
#include <thread>
#include <utility>

namespace heddle::hunt {
namespace {

// How long the recording of what was found may go on when the time is over.
constexpr double kRecordingSeconds = 10;

} // namespace

const char *NameOf(StopReason reason) {
  switch (reason) {
  case StopReason::kRuns:
    return "runs";
  case StopReason::kTime:
    return "time";
  case StopReason::kBug:
    return "bug";
  case StopReason::kSignal:
    return "signal";
  case StopReason::kFailure:
    return "failure";
  }
  return "";
}

//===-- Workers -----------------------------------------------------------===//

// One execution after the other. What is new is looked into by who found it.
class Hunt::Worker {
public:
  Worker(Hunt &hunt, unsigned slot)
      : hunt_(hunt), place_(hunt.store_.PlainDirectory()),
        setting_{hunt.program_,          hunt.environment_,     &hunt.statistics_, slot,
                 hunt.settings_.timeout, hunt.enough_.Number(), &hunt.trust_,      &hunt.left_},
        executor_(setting_),
        fresh_({hunt.program_, hunt.environment_, &hunt.statistics_, slot, hunt.settings_.timeout,
                hunt.stops_recording_.Get(), nullptr, &hunt.left_}),
        investigation_(
            hunt.settings_, hunt.program_, hunt.environment_, hunt.store_, hunt.catalog_, fresh_,
            [this](const Options &options) { return ForShrinking(options); },
            [&hunt](const Finding &finding, const std::string &how) {
              hunt.listener_.Found(finding, how);
            }) {}

  void Work() {
    try {
      while (const std::optional<New> one = hunt_.TakeNew())
        Look(one->observation, one->origin);
      while (const std::optional<uint64_t> number = hunt_.TakeNumber()) {
        size_t arm;
        {
          std::lock_guard lock(hunt_.mutex_);
          arm = hunt_.portfolio_->Next();
        }
        const Origin origin = Execute(hunt_.portfolio_->At(arm), *number, false);
        const Novelty novelty = Judge(origin);
        std::lock_guard lock(hunt_.mutex_);
        hunt_.portfolio_->Learn(arm, novelty);
      }
    } catch (const std::bad_alloc &) {
      hunt_.End(StopReason::kFailure, kNoMemory);
    } catch (const std::exception &failure) {
      // A program that is just being linked cannot be started.
      if (!hunt_.ProgramChanged())
        hunt_.End(StopReason::kFailure, failure.what());
    }
  }

  Origin Execute(const Arm &arm, uint64_t number, bool first) {
    Origin origin;
    origin.number = number;
    origin.arm = arm.name;
    origin.seed = hunt_.settings_.shard.SeedOf(hunt_.settings_.seed, number);
    origin.options = hunt_.settings_.users;
    origin.options.Set("one_at_a_time", "1").Add(arm.options).Set("seed", origin.seed);
    origin.options.Add(hunt_.settings_.more);
    Options options = hunt_.settings_.Base();
    options.Add(origin.options);
    if (arm.recorded) {
      origin.demo = place_.Path() + "/demo";
      RemoveTree(origin.demo);
      options.Set("record_demo", origin.demo);
    }
    origin.execution = ExecutorFor(arm, first, options).Run(options);
    hunt_.executions_ += origin.execution.ended.how != Ended::How::kInterrupted;
    return origin;
  }

private:
  // Of a server for the arm's engine. The first execution is to show what the program is like.
  Executor &ExecutorFor(const Arm &arm, bool first, const Options &options) {
    if (first || arm.recorded || !hunt_.settings_.fork_server)
      return executor_;
    std::unique_ptr<ServerExecutor> &server = servers_[arm.engine];
    if (!server)
      server = std::make_unique<ServerExecutor>(setting_, options);
    return *server;
  }

  // Goes on when executions have ended for another reason than time.
  std::unique_ptr<Executor> ForShrinking(const Options &options) {
    Setting setting = setting_;
    setting.stop = hunt_.stops_shrinking_.Get();
    if (hunt_.settings_.fork_server)
      return std::make_unique<ServerExecutor>(setting, options);
    return std::make_unique<SpawnExecutor>(setting);
  }

  Novelty Judge(const Origin &origin) {
    Novelty novelty;
    if (origin.execution.ended.how == Ended::How::kInterrupted)
      return novelty;
    if (origin.execution.statistics) {
      novelty.reads_from = origin.execution.statistics->new_reads_from;
      novelty.schedule = origin.execution.statistics->new_schedule != 0;
    }
    const std::vector<Observation> all =
        ReadOutcome(origin.execution.ended, hunt_.settings_.ReportCode());
    if (!all.empty() && hunt_.ProgramChanged())
      return novelty;
    if (!all.empty() && hunt_.settings_.until_bug)
      hunt_.End(StopReason::kBug);
    for (const Observation &observation : all)
      if (hunt_.catalog_.See(observation, origin.number))
        novelty.finding |= Look(observation, origin);
    return novelty;
  }

  bool Look(const Observation &observation, const Origin &origin) {
    hunt_.looking_++;
    const bool is_finding = investigation_.Look(observation, origin);
    hunt_.looking_--;
    return is_finding;
  }

  Hunt &hunt_;
  TemporaryDirectory place_;
  Setting setting_;
  SpawnExecutor executor_, fresh_;
  std::map<std::string, std::unique_ptr<ServerExecutor>> servers_;
  Investigation investigation_;
};

//===-- The hunt ----------------------------------------------------------===//

Hunt::Hunt(const HuntSettings &settings, const Program &program, const Environment &environment,
           FindingsStore &store, StopSwitch &stop, HuntListener &listener)
    : settings_(settings), program_(program), watch_(program.path), environment_(environment),
      store_(store), stop_(stop), stops_shrinking_(AnyOf(stop, over_)),
      stops_recording_(AnyOf(stop, cut_)), listener_(listener) {}

Hunt::~Hunt() = default;

double Hunt::Seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::optional<Hunt::New> Hunt::TakeNew() {
  std::lock_guard lock(mutex_);
  if (new_.empty())
    return std::nullopt;
  const New first = new_.front();
  new_.erase(new_.begin());
  return first;
}

std::optional<uint64_t> Hunt::TakeNumber() {
  std::lock_guard lock(mutex_);
  if (enough_.Stopped() || stop_.Stopped())
    return std::nullopt;
  if (settings_.runs && next_ >= settings_.runs)
    return std::nullopt;
  return next_++;
}

void Hunt::End(StopReason reason, const std::string &failure) {
  std::lock_guard lock(mutex_);
  // A failure is never outdone by what it led to.
  if (!reason_known_ || (reason == StopReason::kFailure && result_.failure.empty())) {
    result_.reason = reason;
    result_.failure = failure;
    reason_known_ = true;
  }
  enough_.Stop();
}

bool Hunt::ProgramChanged() {
  if (!watch_.Changed())
    return false;
  End(StopReason::kFailure, program_.path +
                                " was changed during the hunt, as by a build. What was "
                                "found before is in " +
                                store_.Directory() + ". Hunt again when it is complete.");
  return true;
}

void Hunt::CheckFirst(const Execution &execution) {
  result_.first = execution.statistics;
  for (const Observation &one : ReadOutcome(execution.ended, settings_.ReportCode()))
    if (one.kind == Kind::kRefused)
      throw Failure("the runtime in " + program_.path + " says: " + one.what);
  if (!execution.statistics && execution.ended.how != Ended::How::kTimedOut)
    CheckThatOursRan(program_);
  if (!execution.statistics && execution.ended.how == Ended::How::kExited && !execution.ended.code)
    listener_.Remark(kNoWord);
  if (execution.statistics && execution.statistics->threads < 2)
    listener_.Remark("the program has started no thread: there is nothing to schedule.");
}

void Hunt::Begin() {
  Estimate estimate;
  const std::optional<uint64_t> number = TakeNumber();
  if (number) {
    const Origin origin =
        Worker(*this, 0).Execute(EstimationArm(settings_.weak_memory), *number, true);
    const Execution &execution = origin.execution;
    first_ = execution.ended;
    if (execution.ended.how != Ended::How::kInterrupted) {
      CheckFirst(execution);
      // Workers look into what it has shown while others go on.
      for (const Observation &one : ReadOutcome(execution.ended, settings_.ReportCode()))
        if (catalog_.See(one, origin.number))
          new_.push_back({one, origin});
      if (!new_.empty() && settings_.until_bug)
        End(StopReason::kBug);
    }
    if (execution.statistics) {
      estimate.operations = execution.statistics->operations;
      estimate.communications = execution.statistics->communications;
    }
  }
  portfolio_ = std::make_unique<Portfolio>(
      MakeArms(estimate, settings_.strategy, settings_.weak_memory, settings_.read_policy));
}

void Hunt::EndInTime(double seconds) {
  End(StopReason::kTime);
  if (!over_.Stopped() && looking_)
    listener_.Remark("the time is over; what was found is still being recorded, for at most " +
                     std::to_string(int(kRecordingSeconds)) + " s.");
  over_.Stop();
  if (seconds >= settings_.seconds + kRecordingSeconds)
    cut_.Stop();
}

std::string Hunt::NothingTested() const {
  constexpr size_t kLastWords = 1000;
  std::string text = "no execution has ended, so nothing was tested.";
  if (!first_)
    return text;
  text += first_->waited ? " The first one was waiting when it was stopped."
                         : " The first one was at work when it was stopped.";
  if (!stop_.Stopped())
    text += " --timeout makes one that takes too long a finding, and --time gives it longer.";
  std::string printed = first_->output + first_->errors;
  if (printed.empty())
    return text + " It had printed nothing.";
  if (printed.size() > kLastWords)
    printed = "..." + printed.substr(printed.size() - kLastWords);
  return text + " It had printed:\n" + printed;
}

void Hunt::InThreads(const std::vector<std::function<void()>> &work) {
  size_t ended = 0;
  std::vector<std::function<void()>> all;
  for (const std::function<void()> &one : work)
    all.push_back([&, this] {
      one();
      std::lock_guard lock(mutex_);
      ended++;
      ended_.notify_all();
    });
  std::vector<std::thread> threads = StartThreads(all);
  if (threads.size() < work.size())
    listener_.Remark("only " + std::to_string(threads.size()) + " of " +
                     std::to_string(work.size()) + " threads can be started: see ulimit -u.");
  std::unique_lock lock(mutex_);
  while (ended < threads.size()) {
    ended_.wait_for(lock, std::chrono::milliseconds(200));
    lock.unlock();
    const double seconds = Seconds();
    ProgramChanged();
    if (stop_.Stopped())
      End(StopReason::kSignal);
    else if (settings_.seconds && seconds >= settings_.seconds)
      EndInTime(seconds);
    listener_.Progress(executions_, catalog_.Size(), seconds);
    lock.lock();
  }
  lock.unlock();
  for (std::thread &thread : threads)
    thread.join();
}

HuntResult Hunt::Run() {
  start_ = std::chrono::steady_clock::now();
  std::exception_ptr failed;
  InThreads({[&] {
    try {
      Begin();
    } catch (...) {
      failed = std::current_exception();
    }
  }});
  if (failed)
    std::rethrow_exception(failed);
  std::vector<std::unique_ptr<Worker>> workers;
  std::vector<std::function<void()>> work;
  for (unsigned i = 0; i < settings_.jobs; i++) {
    workers.push_back(std::make_unique<Worker>(*this, i));
    work.push_back([worker = workers.back().get()] { worker->Work(); });
  }
  InThreads(work);
  workers.clear(); // with their servers
  if (const std::string left = left_.Text(); !left.empty())
    listener_.Remark(left);
  if (stop_.Stopped())
    End(StopReason::kSignal);
  result_.signal = stop_.Signal();
  result_.executions = executions_;
  result_.seconds = Seconds();
  if (!executions_ && result_.failure.empty())
    result_.failure = NothingTested();
  result_.findings = catalog_.All();
  for (size_t i = 0; i < portfolio_->Size(); i++)
    result_.arms.push_back({portfolio_->At(i).name, portfolio_->FiguresOf(i)});
  try {
    // What is told is what is stored: that may be of an earlier hunt, and better.
    for (Finding &finding : result_.findings) {
      const uint64_t executions = finding.executions;
      finding = store_.Put(finding, "", Replaces::kNothing);
      finding.of_all_hunts = std::exchange(finding.executions, executions);
    }
  } catch (const Failure &failure) {
    End(StopReason::kFailure, failure.what());
  }
  return result_;
}

} // namespace heddle::hunt
