#include "tests.h"

#include "../allowed.h"
#include "../parser.h"
#include "../synth.h"
#include "campaign.h"

#include <algorithm>

namespace heddle::litmus::compile {
namespace {

void AddFiles(const std::vector<std::string> &files, std::vector<Program> *programs,
              std::vector<std::string> *refused) {
  for (const std::string &file : files) {
    Program program;
    ParseError error;
    if (ParseFile(file, &program, &error))
      programs->push_back(std::move(program));
    else
      refused->push_back(error.ToString());
  }
}

void AddSynthesised(const TestSelection &selection, unsigned jobs, std::vector<Program> *programs) {
  SynthOptions options;
  options.min_events = selection.min_events;
  options.max_events = selection.max_events;
  options.axioms = selection.axioms;
  options.jobs = jobs;
  for (const SynthesisedTest &test : Synthesise(options))
    for (Program &program : Instantiate(test, selection.axioms))
      programs->push_back(std::move(program));
}

} // namespace

bool LeaveOutResults(Program *program) {
  bool any = false;
  for (size_t t = 0; t < program->threads.size(); t++)
    for (Statement &statement : program->threads[t].body) {
      if (statement.kind != Statement::Kind::kRmw || statement.target < 0)
        continue;
      const Observable result{int(t), statement.target};
      auto &observed = program->observed;
      observed.erase(std::remove(observed.begin(), observed.end(), result), observed.end());
      statement.target = -1;
      any = true;
    }
  // The condition may speak of them; the verdict is about all states.
  program->condition = Proposition();
  program->name += ".unused";
  return any;
}

std::vector<Program> Strengthened(const Program &program) {
  std::vector<Program> stronger;
  for (size_t t = 0; t < program.threads.size(); t++)
    for (size_t s = 0; s < program.threads[t].body.size(); s++) {
      const Statement &statement = program.threads[t].body[s];
      if (statement.kind == Statement::Kind::kAssign || statement.kind == Statement::Kind::kIf ||
          statement.order == Order::kSeqCst)
        continue;
      stronger.push_back(program);
      stronger.back().threads[t].body[s].order = Order::kSeqCst;
      stronger.back().name += ".sc" + std::to_string(t) + "." + std::to_string(s);
    }
  return stronger;
}

std::vector<Test> SelectTests(const TestSelection &selection, unsigned jobs,
                              std::vector<std::string> *refused) {
  std::vector<Program> programs;
  AddFiles(selection.files, &programs, refused);
  if (selection.max_events > 0)
    AddSynthesised(selection, jobs, &programs);
  if (selection.unused_results) {
    std::vector<Program> kept;
    for (Program &program : programs)
      if (LeaveOutResults(&program))
        kept.push_back(std::move(program));
    programs = std::move(kept);
  }
  if (selection.stronger)
    for (size_t i = 0, count = programs.size(); i < count; i++)
      for (Program &program : Strengthened(programs[i]))
        programs.push_back(std::move(program));
  std::vector<Test> tests(programs.size());
  std::vector<std::string> reasons(programs.size());
  InParallel(programs.size(), jobs, [&](size_t i) {
    tests[i].program = std::move(programs[i]);
    try {
      for (const auto &[state, count] : AllowedOutcomes(tests[i].program, selection.axioms).states)
        tests[i].allowed.insert(state);
    } catch (const std::exception &error) {
      reasons[i] = tests[i].program.name + ": what C11 allows is not known: " + error.what();
    }
  });
  std::vector<Test> judged;
  for (size_t i = 0; i < tests.size(); i++) {
    if (reasons[i].empty())
      judged.push_back(std::move(tests[i]));
    else
      refused->push_back(reasons[i]);
  }
  return judged;
}

} // namespace heddle::litmus::compile
