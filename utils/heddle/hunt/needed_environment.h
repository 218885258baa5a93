// What a replay needs of the environment.
//
// A recording has all variables, since nobody knows when it begins which of them the program will
// look at. Most programs look at none, and the rest tells whoever gets the demo about the user and
// the machine. So it is tried which ones the replay can do without: those are blanked, name and
// value, and to a replay they are not set. Their length stays, so that no address changes.
#ifndef HEDDLE_HUNT_NEEDED_ENVIRONMENT_H
#define HEDDLE_HUNT_NEEDED_ENVIRONMENT_H

#include <functional>
#include <string>

namespace heddle::hunt {

// Blanks what is not needed, in the demo's META. `plays` tells whether the demo still shows the
// same as it is now; it is asked a bounded number of times, and what has not been tried then is
// kept. Throws Failure if META cannot be read or written.
void KeepNeededEnvironment(const std::string &demo, const std::function<bool()> &plays);

// True of what the former has made of a variable.
bool IsBlanked(const std::string &variable);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_NEEDED_ENVIRONMENT_H
