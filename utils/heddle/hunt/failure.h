// The command itself cannot go on: said to the user as it is, exit code 2. The text has what was
// expected, what was found and what to do.
#ifndef HEDDLE_HUNT_FAILURE_H
#define HEDDLE_HUNT_FAILURE_H

#include <stdexcept>
#include <string>

namespace heddle::hunt {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What is said where std::bad_alloc arrives.
constexpr char kNoMemory[] = "no memory is left. Raise the limit, if there is one: ulimit -v";

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_FAILURE_H
