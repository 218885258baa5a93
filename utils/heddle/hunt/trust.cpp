#include "trust.h"

#include "failure.h"
#include "files.h"
#include "mark.h"
#include "needed_environment.h"
#include "printable.h"

#include "heddle/demo/demo_environment.h"

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace heddle::hunt {
namespace {

std::string Words(const std::vector<std::string> &words) { return Printable(ShellJoin(words)); }

bool LiesIn(const std::string &path, const std::string &directory) {
  return path.compare(0, directory.size() + 1, directory + "/") == 0;
}

bool SaysYes() {
  std::string answer;
  for (int c; (c = getchar()) != EOF && c != '\n';)
    answer += char(c);
  return answer == "y" || answer == "yes";
}

} // namespace

std::string DescribePlan(const ReplayPlan &plan) {
  std::string text = "  program:    " + Printable(plan.program.path) + "\n";
  if (LiesIn(plan.program.path, plan.place))
    text += "              (it came with what is replayed)\n";
  text += "  arguments:  " + Words(plan.program.arguments) + "\n";
  text += "  directory:  " + Printable(plan.program.directory) + "\n";
  text += "  flags:      " + Printable(plan.options.Text()) + "\n";
  const std::vector<std::string> here = Environment().With(Options());
  std::vector<std::string> all = plan.recorded;
  const std::vector<std::string> &set = plan.environment.With(Options());
  all.insert(all.end(), set.begin(), set.end());
  std::string changed, not_taken;
  for (const std::string &variable : all) {
    if (IsBlanked(variable) || std::find(here.begin(), here.end(), variable) != here.end())
      continue;
    if (__heddle::DecidesWhatRuns(variable.c_str()))
      not_taken += "              " + Printable(variable) + "\n";
    else
      changed += "              " + Printable(variable) + "\n";
  }
  if (!changed.empty())
    text += "  variables that are others here:\n" + changed;
  if (!not_taken.empty())
    text += "  variables that are not taken, since they may have something else run:\n" + not_taken;
  return text;
}

void ConfirmForeign(const ReplayPlan &plan, const std::string &path, bool trust) {
  if (!plan.foreign)
    return;
  fprintf(stderr, "%s was not recorded by you on this machine, or was changed since. It runs\n%s",
          Printable(path).c_str(), DescribePlan(plan).c_str());
  if (trust)
    return;
  const std::string how = "If you trust it, repeat the command with --trust.";
  if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
    const std::string no_marks = WhyNoMarks();
    throw Failure("not run. " + how +
                  (no_marks.empty() ? "" : " Nothing can be told to be yours: " + no_marks));
  }
  fprintf(stderr, "Run it? [y/N] ");
  if (!SaysYes())
    throw Failure("not run.");
}

} // namespace heddle::hunt
