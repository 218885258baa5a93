// How far two words are from each other, to guess what was meant by one that is not known.
#ifndef HEDDLE_EDIT_DISTANCE_H
#define HEDDLE_EDIT_DISTANCE_H

#include <algorithm>
#include <string_view>
#include <vector>

namespace heddle {

// Levenshtein's: how many letters have to be changed, added or taken away.
inline size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

} // namespace heddle

#endif
