#include "stress_source.h"

#include "../emit_c.h"
#include "source.h"

#include <algorithm>

namespace heddle::litmus::compile {

extern const char *const kStressRunner; // stress_runner.c

namespace {

constexpr const char *kHead = R"(#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

)";

std::string Define(const std::string &name, size_t value) {
  return "#define " + name + " " + std::to_string(std::max<size_t>(value, 1)) + "\n";
}

// The thread's accesses are those of the test; the addresses are known before the first.
std::string ThreadFunction(const Program &program, int thread, const std::string &prefix) {
  std::string text =
      "static void " + ThreadName(prefix, thread) + "(_Atomic int **locations, int *results) {\n";
  for (size_t i = 0; i < program.locations.size(); i++)
    text += "  _Atomic int *" + program.locations[i].name + " = locations[" + std::to_string(i) +
            "];\n";
  for (size_t i = 0; i < program.observed.size(); i++)
    if (program.observed[i].thread == thread)
      text += "  int *" + SymbolOf(program, program.observed[i]) + " = &results[" +
              std::to_string(i) + "];\n";
  return text + EmitCBody(program, thread, "*") + "}\n\n";
}

std::string TestEntry(const Program &program, const std::string &prefix) {
  std::string functions, initial, observed;
  for (size_t t = 0; t < program.threads.size(); t++)
    functions += ThreadName(prefix, int(t)) + ", ";
  for (const Location &location : program.locations)
    initial += std::to_string(location.initial) + ", ";
  for (const Observable &observable : program.observed)
    observed += std::to_string(observable.thread < 0 ? observable.index : -1) + ", ";
  return "    {\"" + program.name + "\", " + std::to_string(program.threads.size()) + ", " +
         std::to_string(program.locations.size()) + ", " + std::to_string(program.observed.size()) +
         ", {" + functions + "}, {" + initial + "}, {" + observed + "}},\n";
}

} // namespace

std::string StressSource(const std::vector<const Program *> &programs) {
  size_t threads = 0, locations = 0, observed = 0;
  std::string functions, entries;
  for (size_t i = 0; i < programs.size(); i++) {
    const Program &program = *programs[i];
    threads = std::max(threads, program.threads.size());
    locations = std::max(locations, program.locations.size());
    observed = std::max(observed, program.observed.size());
    for (size_t t = 0; t < program.threads.size(); t++)
      functions += ThreadFunction(program, int(t), PrefixOf(i));
    entries += TestEntry(program, PrefixOf(i));
  }
  return kHead + Define("MAX_THREADS", threads) + Define("MAX_LOCATIONS", locations) +
         Define("MAX_OBSERVED", observed) + R"(
struct Test {
  const char *name;
  int threads, locations, observed;
  void (*run[MAX_THREADS])(_Atomic int **locations, int *results);
  int initial[MAX_LOCATIONS];
  int observed_location[MAX_OBSERVED]; // -1: a result of a thread
};

)" + functions +
         "static const struct Test kTests[] = {\n" + entries + "};\n\n" + kStressRunner;
}

} // namespace heddle::litmus::compile
