#include "merge.h"

#include "demo_parts.h"
#include "failure.h"
#include "files.h"
#include "findings_store.h"
#include "stored_file.h"

#include <filesystem>
#include <map>
#include <set>

namespace heddle::hunt {
namespace {

constexpr char kNameFindings[] = "Name directories that `heddle hunt --findings` has made.";

struct Candidate {
  Finding finding;
  std::string path;        // of its directory
  uint64_t executions = 0; // of all that were folded
};

std::string Canonical(const std::string &directory) {
  std::error_code error;
  return std::filesystem::canonical(directory, error);
}

// One whose demo cannot be copied would end the merging of all others.
void CheckDemo(const Finding &finding, const std::string &path) {
  if (finding.has_demo)
    for (const std::string &file : FilesOfDemo(path + kFindingDemo))
      CheckStored(path + kFindingDemo + "/" + file);
}

void Read(const std::string &directory, std::map<std::string, Candidate> *best,
          MergeResult *result) {
  bool has_findings = false, has_others = false;
  for (const std::string &name : NamesIn(directory)) {
    const std::string path = directory + "/" + name;
    if (name[0] == '.')
      continue;
    (IsFinding(path) ? has_findings : has_others) = true;
    if (!IsFinding(path))
      continue;
    Finding finding;
    try {
      CheckNoLink(path);
      finding = LoadFinding(path);
      CheckDemo(finding, path);
    } catch (const Failure &failure) {
      result->complaints.push_back(failure.what());
      continue;
    }
    result->read++;
    Candidate &kept = (*best)[IdentityOf(finding)];
    kept.executions += finding.executions;
    if (kept.path.empty() || IsBetter(finding, kept.finding)) {
      kept.finding = finding;
      kept.path = path;
    }
  }
  // Of a hunt that has found nothing it is empty. A wrong name is not to pass for that.
  if (has_others && !has_findings)
    result->complaints.push_back(directory + " has files, but no findings. " + kNameFindings);
}

} // namespace

MergeResult Merge(const std::vector<std::string> &from, const std::string &to) {
  for (const std::string &directory : from)
    if (!IsDirectory(directory))
      throw Failure("there is no directory " + directory + ". " + kNameFindings);
  FindingsStore store(to);
  MergeResult result;
  result.read = store.Load(&result.complaints).size();
  std::map<std::string, Candidate> best;
  std::set<std::string> seen = {Canonical(store.Directory())};
  for (const std::string &directory : from)
    if (seen.insert(Canonical(directory)).second)
      Read(directory, &best, &result);
  for (auto &[identity, candidate] : best) {
    candidate.finding.executions = candidate.executions;
    store.Put(candidate.finding, candidate.finding.has_demo ? candidate.path + kFindingDemo : "",
              Replaces::kWorse);
  }
  std::vector<std::string> said;
  result.findings = store.Load(&said);
  return result;
}

} // namespace heddle::hunt
