// What is foreign is run only if the user says so, having seen what it is.
#ifndef HEDDLE_HUNT_TRUST_H
#define HEDDLE_HUNT_TRUST_H

#include "replay_plan.h"

#include <string>

namespace heddle::hunt {

// What a replay would run: program, arguments, directory, and the variables that are not as they
// are here. All text is escaped.
std::string DescribePlan(const ReplayPlan &plan);

// Returns if the plan may be run: it is the user's own, or `trust` says so, or the user does on a
// terminal. Throws Failure otherwise. Says on standard error what a foreign one would run.
void ConfirmForeign(const ReplayPlan &plan, const std::string &path, bool trust);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_TRUST_H
