// The directory of a hunt's findings. What is there already stays: a finding is only ever replaced
// by a better one of the same thing, in one step, and its count goes on.
//
// A finding is written under a name that begins with a dot, and changes places with the one that is
// there when it is on disk. Whatever happens, those that are there are whole. Several hunts may use
// one directory at a time: whoever changes something in it locks it.
#ifndef HEDDLE_HUNT_FINDINGS_STORE_H
#define HEDDLE_HUNT_FINDINGS_STORE_H

#include "files.h"
#include "findings.h"
#include "plain_path.h"

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heddle::hunt {

// What may be replaced of the findings that are there. Each has all that is before it.
enum class Replaces {
  kNothing,   // only the count goes on
  kOwn,       // what this store has put there
  kWorse,     // one that is worse
  kOlderBuild // one whose demo is for an older build of the same program
};

class FindingsStore {
public:
  // Makes it, and tries to write to it: throws Failure if that fails.
  explicit FindingsStore(const std::string &directory);

  const std::string &Directory() const { return directory_; }
  // The same, for values of flags.
  const std::string &PlainDirectory() const { return plain_->Text(); }
  std::string PathOf(const std::string &name) const { return directory_ + "/" + name; }

  // Those that are there already; of damaged ones a line in `complaints`.
  std::vector<Finding> Load(std::vector<std::string> *complaints) const;

  // Puts it there, if nothing of it is there or that may be replaced. `demo` is a directory that is
  // copied, or nothing. Executions that were counted by an earlier call are not counted again.
  // Returns what is there now, under the name that it has there: where its name is taken by
  // something else, it gets another. Throws Failure, and what was there before is still there.
  Finding Put(const Finding &finding, const std::string &demo, Replaces replaces);

  // Removes one that has no demo, and has turned out to be `known`, which gets its count.
  void Fold(const Finding &finding, const Finding &known);

private:
  struct Stored {
    std::string name;
    std::optional<Finding> finding; // nothing: the name is free
  };
  // What this store has done about a finding.
  struct Contribution {
    uint64_t executions = 0;
    std::string facts; // as it was written, but for the count
  };
  class Lock;

  // Brings back what somebody was about to replace who was killed.
  void RestoreReplaced() const;
  Stored Find(const Finding &finding);
  bool MayReplace(const Finding &stored, const Finding &finding, const std::string &demo,
                  Replaces replaces);
  void WriteAll(Finding *finding, const std::string &demo);
  void WriteJson(const Finding &finding) const;

  std::string directory_;
  std::optional<PlainPath> plain_;           // of it
  std::mutex mutex_;                         // for all below
  std::map<std::string, std::string> names_; // of identities
  std::map<std::string, Contribution> contributions_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_FINDINGS_STORE_H
