// Synthesised tests as files: in herd's C format, with a comment that says what the
// test is.
#ifndef HEDDLE_LITMUS_SYNTH_FILES_H
#define HEDDLE_LITMUS_SYNTH_FILES_H

#include "synth.h"

#include <string>

namespace heddle::litmus {

// What PrintProgram says of one of the test's programs, and in comments its family,
// its size, and what allows the forbidden outcome.
std::string PrintSynthesised(const SynthesisedTest &test, const Program &program,
                             const SynthOptions &options);

// What of a test is not as it should be, found out anew from the test itself; "" if
// all is well:
//
// - each forbidden execution is forbidden, and allowed without any one event, with
//   any one order weakened, and with a read-modify-write split if that was asked for;
// - each program is read back from its file as the same, has a condition that
//   neither AllowedOutcomes nor the oracle finds, and one that is allowed where an
//   order is weakened.
std::string CheckSynthesised(const SynthesisedTest &test, const SynthOptions &options);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_SYNTH_FILES_H
