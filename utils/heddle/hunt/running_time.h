// The time that counts against a limit. A machine that is shared, suspended or stopped in a
// debugger stands still for seconds: the program had no chance to use them, and a program that is
// killed for them would look like one that hangs. Whoever waits looks at this clock often; what
// passes between two looks beyond what a look may take by itself is not counted.
#ifndef HEDDLE_HUNT_RUNNING_TIME_H
#define HEDDLE_HUNT_RUNNING_TIME_H

#include <algorithm>
#include <chrono>

namespace heddle::hunt {

template <class Clock = std::chrono::steady_clock> class RunningTime {
public:
  // How long to wait at most until the next look.
  static constexpr std::chrono::milliseconds kSlice{200};

  // In seconds, since it was made.
  double Look() {
    const auto now = Clock::now();
    counted_ += std::min<std::chrono::duration<double>>(now - last_, 2 * kSlice);
    last_ = now;
    return counted_.count();
  }

  // Milliseconds to wait, for poll(), if `seconds` are the limit.
  int Wait(double seconds) {
    const double left = (seconds - Look()) * 1000 + 1;
    return int(std::clamp(left, 0.0, double(kSlice.count())));
  }

private:
  typename Clock::time_point last_ = Clock::now();
  std::chrono::duration<double> counted_{0};
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_RUNNING_TIME_H
