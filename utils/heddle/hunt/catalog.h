// All that a hunt has found so far, shared by its workers. What is seen again is counted; what is
// new is somebody's to look into.
//
// Executions are counted, not reports: one execution may print several reports that turn out to be
// one finding. Which they are is known only when each was looked into, so the catalog remembers the
// numbers of the executions, a bit each.
#ifndef HEDDLE_HUNT_CATALOG_H
#define HEDDLE_HUNT_CATALOG_H

#include "findings.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heddle::hunt {

// Numbers of executions.
class ExecutionSet {
public:
  void Add(uint64_t number);
  void Add(const ExecutionSet &others);
  uint64_t Size() const { return size_; }

private:
  std::vector<bool> members_;
  uint64_t size_ = 0;
};

class Catalog {
public:
  // Counts an execution that showed the observation. True if it is new: the caller looks into it,
  // and calls Add.
  bool See(const Observation &observation, uint64_t execution);

  // Makes it a finding. False if one with that key is there already: then it is folded into it.
  // `raw_key` is what See was told.
  bool Add(const Finding &finding, const std::string &raw_key);
  // Replaces the finding of that name, but for its count.
  void Replace(const Finding &finding);

  // With their counts, in the order in which they were found.
  std::vector<Finding> All() const;
  size_t Size() const;

private:
  struct Entry {
    Finding finding;
    ExecutionSet executions;
  };

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::map<std::string, Entry *> by_raw_key_;   // nobody yet: being looked into
  std::map<std::string, ExecutionSet> pending_; // those that showed it meanwhile
  std::map<std::string, Entry *> by_key_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_CATALOG_H
