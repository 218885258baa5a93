// What a hunt was asked for.
#ifndef HEDDLE_HUNT_SETTINGS_H
#define HEDDLE_HUNT_SETTINGS_H

#include "flags.h"
#include "options.h"
#include "shard.h"

#include <cstdint>
#include <string>

namespace heddle::hunt {

struct HuntSettings {
  uint64_t runs = 0;  // executions; 0: any number
  double seconds = 0; // 0: any time
  bool until_bug = false;
  unsigned jobs = 1;
  uint64_t seed = 1;
  Shard shard;
  double timeout = 60; // of an execution, seconds
  unsigned replays = 2;
  uint64_t shrink_runs = 200;
  bool fork_server = true;
  std::string findings = "findings";
  std::string strategy, weak_memory, read_policy; // nothing: the portfolio's
  Options users, more;                            // TSAN_OPTIONS, and what comes after ours
  std::vector<std::string> left_out;              // of both, since a hunt needs other values

  // Of all executions. Reports are counted by places in modules, and symbolized when they are new;
  // where suppressions need functions' names, each time.
  Options Base() const {
    Options base = users;
    base.Add(ReportFlags()).Set("one_at_a_time", "1").Set("atexit_sleep_ms", "0");
    if (!users.Has("suppressions") && !users.Has("symbolize") && !more.Has("suppressions"))
      base.Set("symbolize", "0");
    return base;
  }

  int ReportCode() const { return hunt::ReportCode(more.Has("exitcode") ? more : users); }
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_SETTINGS_H
