// One test, compiled: the states that the hardware model lets it end in, against those that C11
// allows.
#ifndef HEDDLE_LITMUS_COMPILE_JUDGE_H
#define HEDDLE_LITMUS_COMPILE_JUDGE_H

#include "../program.h"
#include "image.h"

#include <functional>
#include <set>
#include <string>

namespace heddle::litmus::compile {

struct Test {
  Program program;
  std::set<State> allowed; // by C11
};

struct Verdict {
  std::string not_run;       // why it was not judged; empty if it was
  std::set<State> forbidden; // states seen that C11 forbids
  std::set<State> seen;      // states seen that C11 allows
};

inline bool Failed(const Verdict &verdict) { return !verdict.forbidden.empty(); }

// The traces of all threads. Throws hardware::UnknownInstruction, and std::runtime_error for what
// cannot be executed.
hardware::HardwareProgram TracesOf(const Program &program,
                                   const std::vector<CompiledThread> &threads);

Verdict Compare(const std::set<State> &allowed, const std::set<State> &seen);

Verdict Judge(const Test &test, const std::vector<CompiledThread> &threads);

// How many memory accesses and fences a program has.
int EventsOf(const Program &program);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_JUDGE_H
