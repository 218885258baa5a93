#include "campaign.h"

#include "../../threads.h"
#include "source.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace heddle::litmus::compile {
namespace {

using Clock = std::chrono::steady_clock;

// Work on one configuration. Several threads have a batch each.
class ConfigurationRun {
public:
  ConfigurationRun(const std::vector<Test> &tests, const CampaignOptions &options, Result *result)
      : tests_(tests), options_(options), result_(result) {
    result_->verdicts.resize(tests.size());
  }

  void RunBatch(size_t begin, size_t end) {
    const auto start = Clock::now();
    if (!GivenUp())
      Run(begin, end);
    const std::chrono::duration<double> passed = Clock::now() - start;
    std::lock_guard lock(mutex_);
    result_->seconds += passed.count();
  }

private:
  bool GivenUp() {
    std::lock_guard lock(mutex_);
    return !result_->not_run.empty();
  }

  void Run(size_t begin, size_t end) {
    std::vector<const Program *> programs;
    std::vector<std::string> prefixes;
    for (size_t i = begin; i < end; i++) {
      programs.push_back(&tests_[i].program);
      prefixes.push_back(PrefixOf(i - begin));
    }
    Binary binary;
    try {
      binary = Build(result_->configuration, BatchSource(programs), options_.limits);
    } catch (const std::exception &error) {
      return BuildFailed(begin, end, error.what());
    }
    try {
      const ImageMaker maker(binary, result_->configuration.target, prefixes);
      for (size_t i = begin; i < end; i++)
        result_->verdicts[i] = JudgeOne(tests_[i], maker, prefixes[i - begin]);
    } catch (const std::exception &error) {
      BuildFailed(begin, end, error.what());
    }
  }

  static Verdict JudgeOne(const Test &test, const ImageMaker &maker, const std::string &prefix) {
    try {
      return Judge(test, maker.Make(test.program, prefix));
    } catch (const std::exception &error) {
      Verdict verdict;
      verdict.not_run = error.what();
      return verdict;
    }
  }

  void BuildFailed(size_t begin, size_t end, const std::string &why) {
    if (!CompilesNothing())
      return;
    if (end - begin == 1) {
      result_->verdicts[begin].not_run = why;
      return;
    }
    const size_t middle = begin + (end - begin) / 2;
    Run(begin, middle);
    Run(middle, end);
  }

  // Whether an empty program can be built; asked once.
  bool CompilesNothing() {
    std::lock_guard lock(mutex_);
    if (tried_)
      return result_->not_run.empty();
    tried_ = true;
    try {
      Build(result_->configuration, BatchSource({}), options_.limits);
    } catch (const std::exception &error) {
      result_->not_run = error.what();
    }
    return result_->not_run.empty();
  }

  const std::vector<Test> &tests_;
  const CampaignOptions &options_;
  Result *result_;
  std::mutex mutex_; // what is not of one test alone
  bool tried_ = false;
};

} // namespace

void InParallel(size_t count, unsigned jobs, const std::function<void(size_t)> &work) {
  std::atomic<size_t> next{0};
  OnThreads(jobs, [&] {
    for (size_t i; (i = next++) < count;)
      work(i);
  });
}

std::vector<Result> RunCampaign(const std::vector<Test> &tests,
                                const std::vector<Configuration> &configurations,
                                const CampaignOptions &options) {
  std::vector<Result> results(configurations.size());
  std::vector<std::unique_ptr<ConfigurationRun>> runs;
  for (size_t c = 0; c < configurations.size(); c++) {
    results[c].configuration = configurations[c];
    runs.push_back(std::make_unique<ConfigurationRun>(tests, options, &results[c]));
  }
  const size_t batches = (tests.size() + options.batch - 1) / options.batch;
  std::mutex mutex;
  size_t done = 0;
  InParallel(batches * configurations.size(), options.jobs, [&](size_t i) {
    const size_t begin = i % batches * options.batch;
    const size_t end = std::min(begin + options.batch, tests.size());
    runs[i / batches]->RunBatch(begin, end);
    std::lock_guard lock(mutex);
    done += end - begin;
    if (options.progress)
      options.progress(done, tests.size() * configurations.size());
  });
  return results;
}

} // namespace heddle::litmus::compile
