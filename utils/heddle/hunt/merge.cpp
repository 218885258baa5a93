#include "merge.h"

#include "failure.h"
#include "files.h"

#include <map>
#include <tuple>

namespace heddle::hunt {
namespace {

struct Candidate {
  Finding finding;
  std::string path;        // of its directory
  uint64_t executions = 0; // of all that were folded
};

void Read(const std::string &directory, std::map<std::string, Candidate> *best,
          MergeResult *result) {
  for (const std::string &name : NamesIn(directory)) {
    const std::string path = directory + "/" + name;
    if (name[0] == '.' || !IsFinding(path))
      continue;
    Finding finding;
    try {
      finding = LoadFinding(path);
    } catch (const Failure &failure) {
      result->complaints.push_back(failure.what());
      continue;
    }
    result->read++;
    Candidate &kept = (*best)[finding.key];
    kept.executions += finding.executions;
    if (kept.path.empty() || IsBetter(finding, kept.finding)) {
      kept.finding = finding;
      kept.path = path;
    }
  }
}

} // namespace

bool IsBetter(const Finding &a, const Finding &b) {
  const auto rank = [](const Finding &finding) {
    return std::make_tuple(!finding.Confirmed(), !finding.shrunk.known, finding.shrunk.Total(),
                           finding.shrunk.operations, finding.seed, finding.program.path);
  };
  return rank(a) < rank(b);
}

MergeResult Merge(const std::vector<std::string> &from, const std::string &to) {
  for (const std::string &directory : from)
    if (!IsDirectory(directory))
      throw Failure("there is no directory " + directory +
                    ". Name directories that `heddle hunt --findings` has made.");
  FindingsStore store(to);
  MergeResult result;
  std::map<std::string, Candidate> best;
  std::vector<std::string> all = from;
  all.push_back(store.Directory());
  for (const std::string &directory : all)
    Read(directory, &best, &result);
  for (auto &[key, candidate] : best) {
    candidate.finding.executions = candidate.executions;
    const std::string demo = candidate.path + "/demo";
    if (candidate.path == store.PathOf(candidate.finding.name))
      store.Update(candidate.finding);
    else
      store.Save(candidate.finding, Exists(demo) ? demo : "");
    result.findings.push_back(candidate.finding);
  }
  return result;
}

} // namespace heddle::hunt
