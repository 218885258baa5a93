// Litmus tests on this machine's own processor, many times: what it shows of what its memory
// model has, and of what C11 allows.
#ifndef HEDDLE_LITMUS_COMPILE_STRESS_H
#define HEDDLE_LITMUS_COMPILE_STRESS_H

#include "campaign.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::litmus::compile {

struct StressOptions {
  unsigned long runs = 10000; // of each test, with each barrier
  std::vector<std::string> barriers = {"user", "timebase"};
  unsigned long seed = 1;
  double seconds = 600; // for a program of many tests
  size_t batch = 32;    // tests in a program
  Limits limits;
  std::function<void(size_t done, size_t all)> progress;
};

struct StressResult {
  std::string not_run;
  std::map<State, unsigned long> states; // how often each was seen, with all barriers
};

// What a program of StressSource prints: the states of its tests by number, added to `results`,
// which begin with test `first`. Throws ToolError for what is not that.
void ReadStressOutput(const std::string &text, size_t first, std::vector<StressResult> *results);

// By test.
std::vector<StressResult> RunStress(const std::vector<Test> &tests, const Configuration &native,
                                    const StressOptions &options);

// A line for the tests of each size, and one for all. `model` is the same tests judged by the
// hardware's model.
std::string PrintStressTable(const std::vector<Test> &tests, const Result &model,
                             const std::vector<StressResult> &stress);

// What the processor has shown and the model or C11 does not have; one line each.
std::vector<std::string> Surprises(const std::vector<Test> &tests, const Result &model,
                                   const std::vector<StressResult> &stress);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_STRESS_H
