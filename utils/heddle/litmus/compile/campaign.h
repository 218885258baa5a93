// All tests through all configurations, on several threads.
//
// Tests are compiled many at a time. Where that fails, an empty program is tried: if that fails as
// well the configuration is given up with one message, or else the tests are halved until
// those are found that the compiler cannot compile. The others go on.
#ifndef HEDDLE_LITMUS_COMPILE_CAMPAIGN_H
#define HEDDLE_LITMUS_COMPILE_CAMPAIGN_H

#include "compiler.h"
#include "judge.h"

#include <functional>
#include <string>
#include <vector>

namespace heddle::litmus::compile {

struct Result {
  Configuration configuration;
  std::vector<Verdict> verdicts; // by test
  std::string not_run;           // why there are no verdicts at all
  double seconds = 0;            // of all threads together
};

struct CampaignOptions {
  Limits limits;
  unsigned jobs = 1;
  size_t batch = 128; // tests in a C file
  // Called after each batch, one at a time: how many tests of how many are done.
  std::function<void(size_t done, size_t all)> progress;
};

// Does `work(i)` for all i below `count`, on several threads.
void InParallel(size_t count, unsigned jobs, const std::function<void(size_t)> &work);

std::vector<Result> RunCampaign(const std::vector<Test> &tests,
                                const std::vector<Configuration> &configurations,
                                const CampaignOptions &options);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_CAMPAIGN_H
