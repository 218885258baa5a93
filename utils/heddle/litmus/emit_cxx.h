// Writes litmus tests as a C++20 program that runs them on real threads: what the
// explorer does with an engine, the program does with whatever runs it.
//
//     program RUNS [TEST...]
//
// runs each test, or those that are named, so many times, and prints the states as
// `heddle litmus` does, each with the number of runs that ended in it:
//
//     Test SB
//     States 3
//     4975  :>0:r0=0; 1:r0=1;
//     ...
//
// A run makes every location anew on the heap, starts a thread for each of the
// test's, joins them, and reads the locations with relaxed loads. The tests have
// atomic accesses only, and no register is shared before its thread is joined: no
// program has a data race.
//
// A name gets a '_' behind it, since C++ has keywords that C has not. At -O1 clang 19 keeps
// every access of the corpus; fetch_add(0) becomes fetch_or(0).
#ifndef HEDDLE_LITMUS_EMIT_CXX_H
#define HEDDLE_LITMUS_EMIT_CXX_H

#include "program.h"

#include <string>
#include <vector>

namespace heddle::litmus {

std::string EmitCxx(const std::vector<Program> &programs);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_EMIT_CXX_H
