// What the runtime says of a deadly signal: "ThreadSanitizer:DEADLYSIGNAL", then
// "==7==ERROR: ThreadSanitizer: SEGV on ..." with the number of the process, a stack and a summary.
#ifndef HEDDLE_HUNT_DEADLY_SIGNAL_H
#define HEDDLE_HUNT_DEADLY_SIGNAL_H

#include <string_view>
#include <vector>

#include <sys/types.h>

namespace heddle::hunt {

// One report of it.
struct DeadlySignal {
  pid_t process = 0;
  std::string_view text; // what comes after "ThreadSanitizer: ", and all after that
};

// In the order in which they were printed. Their text is in `errors`.
std::vector<DeadlySignal> DeadlySignalsIn(std::string_view errors);

// Whether its announcement is the last that was printed, and no report of it came.
bool EndsInDeadlySignal(std::string_view errors);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_DEADLY_SIGNAL_H
