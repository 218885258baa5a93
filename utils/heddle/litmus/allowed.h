// All outcomes that C11 allows a straight-line litmus test, load buffering
// included: what a compiled test is judged by.
//
// What is left out are values out of thin air: where the value of a store depends
// on itself, through registers and reads, no value is guessed.
#ifndef HEDDLE_LITMUS_ALLOWED_H
#define HEDDLE_LITMUS_ALLOWED_H

#include "program.h"
#include "whole_execution.h"

namespace heddle::litmus {

// The states of `observed`, each with the number of executions that end in it.
// Throws std::invalid_argument for a program with `if`, with consume, or with more
// than WholeExecution::kMaxEvents events.
Outcome AllowedOutcomes(const Program &program, const C11Axioms &axioms = {});

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_ALLOWED_H
