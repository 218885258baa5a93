// Repetition, folded: loops that wait for something fill an execution with the same few operations.
#ifndef HEDDLE_SHOW_FOLDING_H
#define HEDDLE_SHOW_FOLDING_H

#include "view.h"

#include <vector>

namespace heddle::show {

// Rows of a view: `length` of them from `first`, that come `times` times.
struct Fold {
  size_t first, length, times;

  size_t End() const { return first + length * times; }
};

// All rows in their order. What comes once is a row of its own; what is folded comes three times or
// more, and is at most eight rows long. Reports are never folded.
std::vector<Fold> FoldRows(const std::vector<Row> &rows, bool fold);

} // namespace heddle::show

#endif // HEDDLE_SHOW_FOLDING_H
