// Tables of docs/ whose rows are tested: a document that says what is read and what is refused
// must not drift from what is.
#ifndef HEDDLE_TEST_LITMUS_DOCUMENTATION_H
#define HEDDLE_TEST_LITMUS_DOCUMENTATION_H

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

// The rows of the table whose second column is `title`, three cells each, without the
// backquotes around an example.
inline std::vector<std::array<std::string, 3>> TableOf(const std::string &document,
                                                       const std::string &title) {
  auto path = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "docs";
  std::ifstream file(path / document);
  std::vector<std::array<std::string, 3>> rows;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    std::array<std::string, 3> cells;
    size_t at = 0;
    for (std::string &cell : cells) {
      size_t begin = line.find("| ", at), end = line.find(" |", begin + 1);
      if (begin == std::string::npos || end == std::string::npos)
        break;
      cell = line.substr(begin + 2, end - begin - 2);
      at = end + 1;
    }
    if (!inside) {
      inside = cells[1] == title;
      continue;
    }
    if (line.compare(0, 2, "|-") == 0)
      continue;
    if (cells[2].empty())
      break;
    if (cells[1].size() > 2 && cells[1].front() == '`')
      cells[1] = cells[1].substr(1, cells[1].size() - 2);
    rows.push_back(cells);
  }
  return rows;
}

#endif // HEDDLE_TEST_LITMUS_DOCUMENTATION_H
