// All that a hunt has found so far, shared by its workers. What is seen again is counted; what is
// new is somebody's to look into.
#ifndef HEDDLE_HUNT_CATALOG_H
#define HEDDLE_HUNT_CATALOG_H

#include "findings.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace heddle::hunt {

class Catalog {
public:
  // Counts an observation. True if it is new: the caller looks into it, and calls Add or Fold.
  bool See(const Observation &observation);

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
    uint64_t executions;
  };

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::map<std::string, Entry *> by_raw_key_; // nobody yet: being looked into
  std::map<std::string, uint64_t> pending_;   // how often it was seen meanwhile
  std::map<std::string, Entry *> by_key_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_CATALOG_H
