// Makes a program of threads that are lists of events without values: what the
// generators that work from shapes have in common.
#ifndef HEDDLE_LITMUS_STRAIGHT_LINE_H
#define HEDDLE_LITMUS_STRAIGHT_LINE_H

#include "generator_parts.h"
#include "program.h"

#include <vector>

namespace heddle::litmus {

using EventList = std::vector<Statement>;

// Gives each write a value that tells who wrote it, each read a register, and each
// compare-exchange something to expect: 0, or what some other event stores. All
// registers and locations are observed.
Program MakeStraightLine(std::vector<EventList> threads, int locations, Random *random);

inline bool Reads(const Statement &event) {
  return event.kind != Statement::Kind::kStore && event.kind != Statement::Kind::kFence;
}
inline bool Writes(const Statement &event) {
  return event.kind != Statement::Kind::kLoad && event.kind != Statement::Kind::kFence;
}

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_STRAIGHT_LINE_H
