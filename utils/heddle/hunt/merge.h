// Findings of many hunts in one directory: those that are one (IdentityOf) become one, with the
// counts of all and the simplest of their executions.
#ifndef HEDDLE_HUNT_MERGE_H
#define HEDDLE_HUNT_MERGE_H

#include "findings.h"

#include <string>
#include <vector>

namespace heddle::hunt {

struct MergeResult {
  std::vector<Finding> findings;       // that are in the directory now
  size_t read = 0;                     // of all directories
  std::vector<std::string> complaints; // damaged ones
};

// Each of `from` is a directory of findings, and one that is named twice counts once. What is in
// `to` already takes part. Throws Failure.
MergeResult Merge(const std::vector<std::string> &from, const std::string &to);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_MERGE_H
