// Where two sets of axioms differ: on which programs, and by which kind of difference.
//
// They differ on a program if one allows a state that the other forbids. Thousands of
// random programs may do so for the same reason, so a difference has a kind: what is
// left of the program when all is taken away that the difference does not need. One
// step after the other, as long as the axioms still differ in the same direction, a
// statement is removed, a read-modify-write becomes a load, a store or an exchange, an
// order becomes weaker. What is left does not depend on the names of threads and
// locations.
//
// A program may differ for several reasons. Its kind is the one that the steps happen
// to lead to, always the same.
#ifndef HEDDLE_LITMUS_DIFFERENCES_H
#define HEDDLE_LITMUS_DIFFERENCES_H

#include "axiomatic.h"
#include "program.h"

#include <string>

namespace heddle::litmus {

// Whether `allowing` allow a state that `forbidding` forbid.
bool Differ(const Program &program, const AxiomaticOptions &allowing,
            const AxiomaticOptions &forbidding);

// The kind, written like the Generator's names: "Wx.rlx-Fsc-Ry.rlx+Wy.sc-Rx.sc". Empty
// if they do not differ.
std::string KindOfDifference(const Program &program, const AxiomaticOptions &allowing,
                             const AxiomaticOptions &forbidding);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_DIFFERENCES_H
