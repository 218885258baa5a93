#include "findings.h"

#include "failure.h"
#include "files.h"
#include "mark.h"
#include "stored_file.h"

#include <tuple>

namespace heddle::hunt {

bool IsFinding(const std::string &directory) { return IsThere(directory + kFindingJson); }

Finding LoadFinding(const std::string &directory) {
  const std::string path = directory + kFindingJson;
  Finding finding = FromJson(ReadStored(path), path);
  if (IsThere(directory + kFindingReport))
    finding.report = ReadStored(directory + kFindingReport);
  finding.has_demo = IsStoredDirectory(directory + kFindingDemo);
  finding.own = HasMark(finding, directory);
  return finding;
}

void CheckNoLink(const std::string &directory) {
  if (!IsStoredDirectory(directory))
    throw Failure(directory +
                  " is a symbolic link, and is not followed. Name the directory that it "
                  "leads to, or copy the finding here.");
}

std::string IdentityOf(const Finding &finding) {
  std::string identity = std::string(NameOf(finding.kind)) + "\n" + finding.key + "\n" +
                         BaseName(finding.program.path);
  if (finding.place.empty())
    for (size_t i = 1; i < finding.program.arguments.size(); i++)
      identity += "\n" + finding.program.arguments[i];
  return identity;
}

bool IsBetter(const Finding &a, const Finding &b) {
  // A demo that was never replayed is worth more than one that failed to show it again.
  const auto doubts = [](const Finding &finding) {
    if (!finding.Confirmed())
      return finding.replays_same ? 2 : 3;
    return finding.replays ? 0 : 1;
  };
  const auto rank = [&](const Finding &finding) {
    return std::make_tuple(!finding.has_demo, doubts(finding), !finding.own, !finding.shrunk.known,
                           finding.shrunk.Total(), finding.shrunk.operations, finding.seed,
                           finding.program.path);
  };
  return rank(a) < rank(b);
}

std::string RepeatLine(const Finding &finding) {
  std::vector<std::string> arguments = finding.program.arguments;
  return "cd " + ShellQuote(finding.program.directory) +
         " && TSAN_OPTIONS=" + ShellQuote(finding.options.Text()) + " " + ShellJoin(arguments);
}

} // namespace heddle::hunt
