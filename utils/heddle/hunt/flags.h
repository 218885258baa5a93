// The flags that the runtime knows. It takes no notice of others, so that a mistyped one would test
// nothing and say nothing.
#ifndef HEDDLE_HUNT_FLAGS_H
#define HEDDLE_HUNT_FLAGS_H

#include "options.h"

#include <string>

namespace heddle::hunt {

// Throws Failure if one is unknown. `where` is the place to mend: "TSAN_OPTIONS", "--options".
void CheckFlags(const Options &options, const std::string &where);

// The exit code that stands for a report.
int ReportCode(const Options &options);

// How a hunt has to have its reports: on standard error and as they are usually written. The end
// of an execution is then the report's exit code. These outdo what the program itself sets in
// __tsan_default_options.
Options ReportFlags();

// The user's flags for a hunt: without those that a hunt sets for reports, of which `left_out` gets
// the names. Throws Failure if one is unknown, or is for what a hunt does itself.
Options FlagsForHunt(const Options &options, const std::string &where,
                     std::vector<std::string> *left_out);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_FLAGS_H
