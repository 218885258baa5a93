// What a hunt came to: for people, as JSON, and as JUnit's XML for what shows test results.
#ifndef HEDDLE_HUNT_REPORTS_H
#define HEDDLE_HUNT_REPORTS_H

#include "hunt.h"

#include <string>

namespace heddle::hunt {

// `findings` is the directory as users know it.
std::string SummaryText(const HuntResult &result, const std::string &findings);
std::string SummaryJson(const HuntResult &result, const HuntSettings &settings,
                        const Program &program);
std::string SummaryJunit(const HuntResult &result, const Program &program);

// One line about a finding: how often it was seen, whether it was again, how it was shrunk.
std::string FindingText(const Finding &finding, uint64_t executions);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_REPORTS_H
