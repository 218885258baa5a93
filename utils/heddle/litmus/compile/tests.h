// The tests of a campaign: files, or all minimal ones of some size.
#ifndef HEDDLE_LITMUS_COMPILE_TESTS_H
#define HEDDLE_LITMUS_COMPILE_TESTS_H

#include "../whole_execution.h"
#include "judge.h"

#include <string>
#include <vector>

namespace heddle::litmus::compile {

struct TestSelection {
  std::vector<std::string> files;
  int min_events = 2, max_events = 0; // 0: none are made
  // By which tests are minimal, and are judged. C++20's text forbids what every implementation
  // shows (see docs/compiler-testing.md), so that it is not the default.
  C11Axioms axioms = {C11Model::kPartialSc, ReleaseSequence::kCxx20, false};
  // Only tests with read-modify-writes, of which the results are not used: for those a compiler may
  // choose instructions that return nothing, and order less.
  bool unused_results = false;
  // Besides, each test with one of its orders made seq_cst. A minimal test has no order that is
  // stronger than need be, so that of a mapping whose seq_cst is no acquire it shows nothing.
  bool stronger = false;
};

// The program with the results of its read-modify-writes left out. False if there is none.
bool LeaveOutResults(Program *program);

// One for each order that is not seq_cst, with that order seq_cst. The name ends in ".scT.S", for
// statement S of thread T.
std::vector<Program> Strengthened(const Program &program);

// With what C11 allows each. `refused` gets a message for each test that cannot be judged, and for
// each file that is none.
std::vector<Test> SelectTests(const TestSelection &selection, unsigned jobs,
                              std::vector<std::string> *refused);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_TESTS_H
