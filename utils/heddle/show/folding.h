// Repetition, folded: loops that wait for something fill an execution with the same few operations.
//
// What repeats is looked for in each thread by itself. Two threads that wait in turns do so in the
// middle of each other's loops, and in the middle of what the others do meanwhile.
#ifndef HEDDLE_SHOW_FOLDING_H
#define HEDDLE_SHOW_FOLDING_H

#include "view.h"

#include <optional>
#include <vector>

namespace heddle::show {

// What comes again: `length` rows of a thread, which are shown once, come `times` times more.
struct Fold {
  size_t length, times;
  std::vector<size_t> rows; // those that are not shown, length * times

  std::string Text() const; // "the same 5 times more", "these 2 again, 5 times"
};

struct Folding {
  std::vector<Fold> folds;
  std::vector<std::optional<size_t>> hidden_by; // of each row: the fold that it is in
};

// What is folded comes three times or more, and is at most eight rows of a thread long. Reports are
// never folded.
Folding FoldRows(const std::vector<Row> &rows, bool fold = true);

} // namespace heddle::show

#endif // HEDDLE_SHOW_FOLDING_H
