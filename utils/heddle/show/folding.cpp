#include "folding.h"

namespace heddle::show {
namespace {

constexpr size_t kLongest = 8, kFewest = 3;

bool Same(const Row &a, const Row &b) {
  return !a.report && !b.report && a.label == b.label && a.note == b.note &&
         (a.site == b.site || a.site->where == b.site->where);
}

// The rows of one thread.
void FoldThread(const std::vector<Row> &all, const std::vector<size_t> &rows, Folding *folding) {
  for (size_t at = 0; at < rows.size();) {
    size_t best_length = 1, best_times = 1;
    for (size_t length = 1; length <= kLongest; length++) {
      size_t same = 0; // rows that are as those `length` before
      while (at + length + same < rows.size() &&
             Same(all[rows[at + same]], all[rows[at + length + same]]))
        same++;
      const size_t times = 1 + same / length;
      if (times >= kFewest && length * times > best_length * best_times)
        best_length = length, best_times = times;
    }
    const size_t shown = at + best_length;
    at += best_length * best_times;
    if (best_times == 1)
      continue;
    for (size_t i = shown; i < at; i++)
      folding->hidden_by[rows[i]] = folding->folds.size();
    folding->folds.push_back(
        {best_length, best_times - 1, {rows.begin() + long(shown), rows.begin() + long(at)}});
  }
}

} // namespace

std::string Fold::Text() const {
  return length == 1 ? "the same " + Counted(times, "time") + " more"
                     : "these " + std::to_string(length) + " again, " + Counted(times, "time");
}

Folding FoldRows(const std::vector<Row> &rows, bool fold) {
  Folding folding;
  folding.hidden_by.resize(rows.size());
  if (!fold)
    return folding;
  std::vector<std::vector<size_t>> threads;
  for (size_t i = 0; i < rows.size(); i++) {
    if (rows[i].thread >= threads.size())
      threads.resize(rows[i].thread + 1);
    threads[rows[i].thread].push_back(i);
  }
  for (const std::vector<size_t> &thread : threads)
    FoldThread(rows, thread, &folding);
  return folding;
}

} // namespace heddle::show
