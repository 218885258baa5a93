// Writes litmus tests in herd's C format, and their results as herd and litmus7
// do.
#ifndef HEDDLE_LITMUS_PRINTER_H
#define HEDDLE_LITMUS_PRINTER_H

#include "parser.h"
#include "program.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus {

// A test that Parse reads as the same program, if the program is one that Parse
// could have made: names are C's, no two are the same, `observed` is in Parse's
// order and holds what the condition names, && and || of propositions have two
// operands or more. A test's comment string is not part of a program and is lost.
std::string PrintProgram(const Program &program);

// "r0 + 2 * r1", with the thread's names for the registers.
std::string PrintExpression(const Expression &expression, const Thread &thread);

// "acq_rel"
std::string_view OrderText(Order order);

// "atomic_fetch_add", for a statement that is a call, without "_explicit".
std::string_view FunctionName(const Statement &statement);

// "0:r0", or "x" for a location.
std::string PrintObservable(const Program &program, const Observable &observable);

// "exists (0:r0=0 /\ x=2)"
std::string PrintCondition(const Program &program);

// "0:r0=0; 1:r0=1; x=2;"
std::string FormatState(const Program &program, const State &state);

// All that herd says about a test, and the model:
//
//     Test SB Allowed
//     States 4
//     1     *>0:r0=0; 1:r0=0;
//     1     :>0:r0=0; 1:r0=1;
//     1     :>0:r0=1; 1:r0=0;
//     1     :>0:r0=1; 1:r0=1;
//     Ok
//     Witnesses
//     Positive: 1 Negative: 3
//     Condition exists (0:r0=0 /\ 1:r0=0)
//     Observation SB Sometimes 1 3
//     Model cxx20
//
// The column in front of a state is litmus7's: how many executions end in it, and
// '*' if the condition's proposition holds there. The numbers count executions, too.
// As in herd, the witnesses of `~exists p` are the executions where p does not
// hold, while "Observation" always speaks of p: Never, Sometimes or Always.
std::string PrintResult(const Program &program, const Outcome &outcome, std::string_view model);

// Whether the condition, with its quantifier, holds for these states.
bool IsValidated(const Program &program, const Outcome &outcome);

// A comment that ParseExpectations reads.
std::string PrintExpectation(const Program &program, const Expectation &expectation);

// The same but for positions, and for fields that a statement's kind does not use.
bool SameProgram(const Program &a, const Program &b);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PRINTER_H
