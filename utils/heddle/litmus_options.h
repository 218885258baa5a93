// What `heddle litmus` was asked for, shared by its parts.
#ifndef HEDDLE_LITMUS_OPTIONS_H
#define HEDDLE_LITMUS_OPTIONS_H

#include "litmus/axiomatic.h"
#include "litmus/compare.h"
#include "litmus/generator.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace heddle {

// All axioms' names, and the axioms for a name, which may say whose release sequences
// they have: "cxx20", "tsan11/cxx11". Throws std::invalid_argument for another name.
extern const std::vector<std::string> kAxiomsWords;
litmus::AxiomaticOptions AxiomsNamed(const std::string &name);
std::string NameOf(litmus::AxiomaticModel axioms);

// What comparisons are about.
extern const std::vector<std::string> kEngineWords;

// What generated programs may consist of: "loads" and so on. The others are removed.
extern const std::vector<std::string> kEventKindWords;
void KeepKinds(const std::vector<std::string> &kinds, litmus::GeneratorParameters *parameters);

struct LitmusOptions {
  std::vector<std::string> files;
  std::string model = "mograph";
  std::string axioms = NameOf(litmus::kMographAxioms);
  std::string release_sequence = "cxx20";
  bool dot = false;
  bool emit_cxx = false;
  bool compare = false;
  std::vector<std::string> engines = kEngineWords;
  bool expectations = false;
  bool herd = false;
  std::string compare_axioms; // "cxx20,c11tester"
  bool list = false;
  uint64_t all_events = 0;
  std::vector<std::string> kinds = {"loads", "stores", "exchanges", "fences"};
  uint64_t random = 0;
  uint64_t generate = 0;
  std::string out;
  int events = 6;
  std::string shape = "uniform";
  int membarriers = 0; // percent
  uint64_t seed = 1;
  std::string shard = "0/1";
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());

  bool Compares() const {
    return compare || herd || all_events || random || !compare_axioms.empty();
  }
};

} // namespace heddle

#endif // HEDDLE_LITMUS_OPTIONS_H
