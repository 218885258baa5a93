// The names that the litmus tests of the literature have: MP, SB, IRIW and so on.
//
// A family is what accesses each thread makes and how rf, fr and co lead from thread
// to thread, whatever the orders and fences are. Names and shapes are those of
// Alglave, Maranget, Sarkar, Sewell et al., for all cycles of two threads, of three
// and four threads with one write alone, and of three threads with two accesses each.
#ifndef HEDDLE_LITMUS_SYNTH_FAMILIES_H
#define HEDDLE_LITMUS_SYNTH_FAMILIES_H

#include "synth.h"

#include <string>
#include <vector>

namespace heddle::litmus {

// "" if the test is of none. A read-modify-write stands for a store or a load, if the
// execution is forbidden with that in its place.
std::string FamilyOf(const SynthesisedTest &test, const C11Axioms &axioms = {});

// The names, in the order of the literature: coherence, two threads, more.
std::vector<std::string> Families();

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_SYNTH_FAMILIES_H
