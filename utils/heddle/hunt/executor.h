// Runs the program once: in a process of its own each time, or by asking a fork server in it
// (server_executor.h). What comes out is the same for the same options.
#ifndef HEDDLE_HUNT_EXECUTOR_H
#define HEDDLE_HUNT_EXECUTOR_H

#include "files.h"
#include "left_behind.h"
#include "options.h"
#include "outcome.h"
#include "program.h"
#include "server_trust.h"
#include "spawn.h"
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
  StatisticsFile *statistics;   // none: they are not counted
  unsigned slot;                // in it
  double timeout;               // seconds
  int stop;                     // readable when executions are to end
  ServerTrust *trust = nullptr; // none: executions of a fork server are not compared
  LeftBehind *left = nullptr;   // none: what they leave running is ended, but not counted
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

// What the program is started with: nothing to read, and files for what it prints.
class ProgramFiles {
public:
  ProgramFiles();

  int Output() const { return output_.Get(); }
  int Errors() const { return errors_.Get(); }
  // The program of the setting, with these files and those of its statistics. The flags that go
  // with them are set in `options`; the environment is yet to be made of them.
  SpawnPlan Plan(const Setting &setting, Options *options) const;

private:
  Descriptor nothing_, output_, errors_;
};

// Where a program finds a descriptor that we leave open for it: high, so that its own have the
// numbers that they always have.
int NumberInProgram(int which);

// The output of an execution that prints without end is dropped, over and over.
constexpr long kMaxOutput = 64 << 20;
void DropTooMuch(int output);
// The end of it, if it is too much.
std::string ReadOutput(int output);

// What is done several times a second while an execution runs. Returns true if it is to be ended.
std::function<bool()> Attendance(int output, int errors, pid_t group);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_EXECUTOR_H
