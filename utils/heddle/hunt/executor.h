// Runs the program once: in a process of its own each time, or by asking a fork server in it
// (server_executor.h). What comes out is the same for the same options.
#ifndef HEDDLE_HUNT_EXECUTOR_H
#define HEDDLE_HUNT_EXECUTOR_H

#include "options.h"
#include "outcome.h"
#include "program.h"
#include "statistics_file.h"

#include <optional>

namespace heddle::hunt {

struct Execution {
  Ended ended;
  std::optional<ExecutionStatistics> statistics;
};

// All that executions of one worker have in common.
struct Setting {
  const Program &program;
  const Environment &environment;
  StatisticsFile *statistics; // none: they are not counted
  unsigned slot;              // in it
  double timeout;             // seconds
  int stop;                   // readable when executions are to end
};

class Executor {
public:
  virtual ~Executor() = default;

  // Throws Failure if the program cannot be started.
  virtual Execution Run(const Options &options) = 0;
};

class SpawnExecutor final : public Executor {
public:
  explicit SpawnExecutor(const Setting &setting) : setting_(setting) {}

  Execution Run(const Options &options) override;

private:
  Setting setting_;
};

// Where a program finds a descriptor that we leave open for it: high, so that its own have the
// numbers that they always have.
int NumberInProgram(int which);

// The output of an execution that prints without end is dropped, over and over.
constexpr long kMaxOutput = 64 << 20;
void DropTooMuch(int output);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_EXECUTOR_H
