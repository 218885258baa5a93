// The comparisons of `heddle litmus`: on which programs, on how many threads, and what
// is said at the end. litmus/compare.h has what is compared.
#ifndef HEDDLE_LITMUS_COMPARISON_H
#define HEDDLE_LITMUS_COMPARISON_H

#include "litmus_options.h"

namespace heddle {

// Compares on the files, on all small programs and on random ones, as the options say.
// Returns the command's exit code. What is printed does not depend on --jobs.
int RunComparisons(const LitmusOptions &options);

} // namespace heddle

#endif // HEDDLE_LITMUS_COMPARISON_H
