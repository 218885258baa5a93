#include "folding.h"

namespace heddle::show {
namespace {

constexpr size_t kLongest = 8, kFewest = 3;

bool Same(const Row &a, const Row &b) {
  return a.thread == b.thread && a.label == b.label && a.where == b.where && a.note == b.note &&
         !a.report && !b.report;
}

} // namespace

std::vector<Fold> FoldRows(const std::vector<Row> &rows, bool fold) {
  std::vector<Fold> folds;
  for (size_t at = 0; at < rows.size();) {
    Fold best = {at, 1, 1};
    for (size_t length = 1; fold && length <= kLongest; length++) {
      size_t same = 0; // rows that are as those `length` before
      while (at + length + same < rows.size() && Same(rows[at + same], rows[at + length + same]))
        same++;
      const size_t times = 1 + same / length;
      if (times >= kFewest && length * times > best.length * best.times)
        best = {at, length, times};
    }
    folds.push_back(best);
    at = best.End();
  }
  return folds;
}

} // namespace heddle::show
