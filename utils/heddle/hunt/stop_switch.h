// When the command is to stop: a signal, a time that is over, a goal that is reached. What waits
// for something else at the same time waits for its descriptor, too.
#ifndef HEDDLE_HUNT_STOP_SWITCH_H
#define HEDDLE_HUNT_STOP_SWITCH_H

#include "files.h"

#include <atomic>

namespace heddle::hunt {

class StopSwitch {
public:
  StopSwitch();
  ~StopSwitch();
  StopSwitch(const StopSwitch &) = delete;
  StopSwitch &operator=(const StopSwitch &) = delete;

  // From now on SIGINT, SIGTERM and SIGHUP stop it. The second such signal does what it always
  // does.
  void HeedSignals();

  void Stop() { StopBy(0); }
  bool Stopped() const { return stopped_; }
  // The signal that did it, or 0.
  int Signal() const { return signal_; }
  // Readable when it has stopped, and never read.
  int Number() const { return event_.Get(); }

private:
  static void Handle(int signal);
  void StopBy(int signal);

  Descriptor event_;
  std::atomic<bool> stopped_{false};
  std::atomic<int> signal_{0};
};

// Readable when one of them has stopped.
Descriptor AnyOf(const StopSwitch &one, const StopSwitch &other);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_STOP_SWITCH_H
