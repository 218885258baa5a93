// Executions that are stuck after a deadly signal.
//
// The runtime reports the signal and exits. What the program wants to have called before that, or a
// lock that the thread held, may keep it from exiting. Such an execution is a crash already,
// however it ends, so that nothing is lost if it is not waited for until its time is over.
#ifndef HEDDLE_HUNT_DEADLY_SIGNAL_WATCH_H
#define HEDDLE_HUNT_DEADLY_SIGNAL_WATCH_H

#include <sys/types.h>

namespace heddle::hunt {

// An execution is stuck if it has printed nothing for kGrace seconds of its time, a process of its
// group that has reported a deadly signal is still there, and nothing that this process has started
// is at work: a symbolizer is, for as long as it reads a large program. It is also stuck if the
// last that it has printed is that there is such a signal, since the report of it follows at once.
class DeadlySignalWatch {
public:
  static constexpr double kGrace = 2;

  // Files with standard output and standard error.
  DeadlySignalWatch(int output, int errors) : output_(output), errors_(errors) {}

  // To be called several times a second, with the time in seconds that counts (running_time.h).
  bool IsStuck(pid_t group, double now);

private:
  const int output_, errors_;
  off_t printed_[2] = {0, 0};
  double since_ = 0;  // when it has last made progress
  bool known_ = true; // what it has printed has been looked at
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_DEADLY_SIGNAL_WATCH_H
