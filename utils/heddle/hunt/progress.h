// What a hunt says while it goes on: a line that changes on a terminal; in a log, a line for each
// finding, and one now and then.
#ifndef HEDDLE_HUNT_PROGRESS_H
#define HEDDLE_HUNT_PROGRESS_H

#include "hunt.h"

#include <cstdio>
#include <mutex>
#include <string>

namespace heddle::hunt {

class ConsoleProgress final : public HuntListener {
public:
  ConsoleProgress(const HuntSettings &settings, FILE *out, bool terminal, bool quiet)
      : settings_(settings), out_(out), terminal_(terminal), quiet_(quiet) {}

  void Found(const Finding &finding, const std::string &how) override;
  void Remark(const std::string &remark) override;
  void Progress(uint64_t executions, size_t findings, double seconds) override;
  // Nothing changes any more.
  void End();

private:
  void Line(const std::string &text);
  void Clear();

  static constexpr double kLogSeconds = 30; // between lines in a log

  const HuntSettings &settings_;
  FILE *out_;
  const bool terminal_, quiet_;
  std::mutex mutex_;
  std::string shown_; // on the terminal
  double last_ = 0;
};

// "1,234 executions, 20 a second, 2 findings, 0:42 left"
std::string ProgressText(const HuntSettings &settings, uint64_t executions, size_t findings,
                         double seconds);

std::string Counted(uint64_t number, const std::string &one, const std::string &many);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_PROGRESS_H
