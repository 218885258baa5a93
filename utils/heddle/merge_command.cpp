#include "merge_command.h"

#include "command.h"
#include "hunt/failure.h"
#include "hunt/files.h"
#include "hunt/merge.h"
#include "hunt/printable.h"
#include "hunt/progress.h"
#include "hunt/reports.h"

#include <cstdio>
#include <memory>

namespace heddle {
namespace {

using namespace hunt;

struct MergeOptions {
  std::vector<std::string> from;
  std::string to;
};

int RunMerge(const MergeOptions &options, const CLI::App &command) {
  const MergeResult result = Merge(options.from, options.to);
  for (const std::string &complaint : result.complaints)
    Complain(command, complaint);
  printf("%s of %s in %s.\n", Counted(result.findings.size(), "finding", "findings").c_str(),
         Counted(result.read, "stored one", "stored ones").c_str(), options.to.c_str());
  for (const Finding &finding : result.findings)
    printf("  %s\n    %s\n    heddle replay %s\n", finding.name.c_str(),
           Printable(FindingText(finding, 0)).c_str(),
           ShellPath(options.to + "/" + finding.name).c_str());
  if (!result.findings.empty())
    fprintf(stderr, "heddle merge: findings have what the programs read and printed, and the "
                    "variables that their replays need. Look at them before you pass them on.\n");
  if (!result.complaints.empty())
    return kCommandFailed;
  return result.findings.empty() ? kNothingFound : kFound;
}

} // namespace

std::function<int()> AddMergeCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App *merge = *subcommand =
      heddle->add_subcommand("merge", "Folds the findings of many hunts into one directory.");
  merge->add_option("directories", options->from, "What `heddle hunt --findings` has made")
      ->required();
  merge->add_option("--into", options->to, "The directory for all of them")->required();
  merge->footer("What has the same key, in programs of the same name, becomes one finding: the "
                "counts of all, and the execution "
                "with the fewest preemptions and stale reads. Exits with 0 if there is no finding, "
                "1 if there are some, 2 if one is damaged; the others are merged all the same.");
  return Guarded(*merge, [=] { return RunMerge(*options, *merge); });
}

} // namespace heddle
