// An execution in words: what the terminal, the page and the graph have in common.
#ifndef HEDDLE_SHOW_VIEW_H
#define HEDDLE_SHOW_VIEW_H

#include "execution.h"
#include "happens_before.h"
#include "symbols.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::show {

// One of the accesses that a report names.
struct Access {
  std::string text; // "write of 4 bytes by T1 at queue.cpp:88"
  std::vector<Frame> stack;
};

// Where something is done. Millions of operations may come from a few.
struct Site {
  std::string where;  // "queue.cpp:88"
  std::string source; // that line
  std::vector<Frame> stack;
};

struct Row {
  uint64_t tick = 0;
  unsigned thread = 0;
  bool report = false;
  bool stale = false;
  std::string label;                             // "load flag = 0 acquire"
  std::string note;                              // of a stale read or a report
  std::string_view location;                     // "flag"; nothing if it is about none
  const Site *site = &kNowhere;                  // the view has it, and the location's name
  const std::vector<Access> *accesses = nullptr; // of a report; the view has them
  std::optional<unsigned> reads_from;            // the row of the store that it read

  static const Site kNowhere;
};

// It is moved, never copied: rows point into it.
struct View {
  View() = default;
  View(View &&) = default;
  View &operator=(View &&) = default;

  std::string title;                // what was run
  std::vector<std::string> threads; // their names
  std::vector<Row> rows;            // one for each event
  std::vector<std::string> legend;  // of locations without a name of their own
  uint64_t left_out = 0;
  std::deque<Site> sites;
  std::deque<std::string> locations;
  std::deque<std::vector<Access>> accesses;

  size_t StaleReads() const;
  size_t Reports() const;
  size_t Operations() const { return rows.size() - Reports(); }
  std::string Summary() const; // "2 threads, 9 operations, ..."
};

View MakeView(const Execution &execution, const Symbols &symbols, const std::string &title);

// "3 operations".
std::string Counted(uint64_t number, const std::string &one);

} // namespace heddle::show

#endif // HEDDLE_SHOW_VIEW_H
