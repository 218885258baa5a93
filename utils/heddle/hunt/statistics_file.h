// What executions write about themselves (lib/heddle/server/statistics.h), in memory that all of
// them map.
#ifndef HEDDLE_HUNT_STATISTICS_FILE_H
#define HEDDLE_HUNT_STATISTICS_FILE_H

#include "files.h"

#include "heddle/server/statistics.h"

#include <optional>

namespace heddle::hunt {

// What to say of an execution that ended well without any.
constexpr char kNoWord[] =
    "the program ended before its runtime could say what it did, as one does that goes into the "
    "background. What it does there is not seen: use its option to stay in the foreground.";

using __heddle::ExecutionStatistics;

class StatisticsFile {
public:
  StatisticsFile(); // throws Failure if there is no memory
  ~StatisticsFile();
  StatisticsFile(const StatisticsFile &) = delete;
  StatisticsFile &operator=(const StatisticsFile &) = delete;

  int Number() const { return file_.Get(); }

  // Before an execution that has the slot.
  void Clear(unsigned slot);
  // After it. Nothing if it ended before it could write, or has no runtime that does.
  std::optional<ExecutionStatistics> Read(unsigned slot) const;

private:
  Descriptor file_;
  __heddle::SharedStatistics *shared_ = nullptr;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_STATISTICS_FILE_H
