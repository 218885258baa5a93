#include "judge.h"

#include "../hardware/model.h"

#include <exception>

namespace heddle::litmus::compile {
namespace {

int CountEvents(const std::vector<Statement> &body) {
  int events = 0;
  for (const Statement &statement : body) {
    if (statement.kind == Statement::Kind::kIf)
      events += CountEvents(statement.then_body) + CountEvents(statement.else_body);
    else if (statement.kind != Statement::Kind::kAssign)
      events++;
  }
  return events;
}

} // namespace

int EventsOf(const Program &program) {
  int events = 0;
  for (const Thread &thread : program.threads)
    events += CountEvents(thread.body);
  return events;
}

hardware::HardwareProgram TracesOf(const Program &program,
                                   const std::vector<CompiledThread> &threads) {
  hardware::HardwareProgram result;
  result.name = program.name;
  result.locations = program.locations;
  result.observed = program.observed;
  std::vector<hardware::ThreadTraces> makers;
  for (const CompiledThread &thread : threads)
    makers.push_back([&thread](const hardware::Values &values) {
      return hardware::Execute(thread.image, thread.entry, values);
    });
  hardware::MakeTraces(makers, &result);
  return result;
}

Verdict Compare(const std::set<State> &allowed, const std::set<State> &seen) {
  Verdict verdict;
  for (const State &state : seen) {
    if (allowed.count(state))
      verdict.seen.insert(state);
    else
      verdict.forbidden.insert(state);
  }
  return verdict;
}

Verdict Judge(const Test &test, const std::vector<CompiledThread> &threads) {
  std::set<State> seen;
  for (const auto &[state, count] :
       hardware::RunHardware(TracesOf(test.program, threads), threads[0].image.architecture).states)
    seen.insert(state);
  return Compare(test.allowed, seen);
}

} // namespace heddle::litmus::compile
