// What tests of generators share: what every generated program must be, and the shape of
// a program without its orders.
#ifndef HEDDLE_TEST_LITMUS_SHAPES_H
#define HEDDLE_TEST_LITMUS_SHAPES_H

#include "heddle/litmus/program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace heddle::litmus {

// Bounds, and that every part of the program can matter to another thread.
template <class Parameters>
void ExpectUseful(const Program &program, const Parameters &parameters) {
  std::map<int, std::set<size_t>> touched;
  std::set<int> written;
  int events = 0;
  EXPECT_GE(program.threads.size(), 2u);
  EXPECT_LE(program.threads.size(), static_cast<size_t>(parameters.max_threads));
  EXPECT_LE(program.locations.size(), static_cast<size_t>(parameters.max_locations));
  for (size_t t = 0; t < program.threads.size(); t++) {
    const std::vector<Statement> &body = program.threads[t].body;
    ASSERT_FALSE(body.empty());
    EXPECT_NE(body.front().kind, Statement::Kind::kFence);
    EXPECT_NE(body.back().kind, Statement::Kind::kFence);
    for (const Statement &statement : body) {
      events += statement.kind != Statement::Kind::kAssign;
      if (statement.location < 0)
        continue;
      touched[statement.location].insert(t);
      if (statement.kind != Statement::Kind::kLoad)
        written.insert(statement.location);
    }
  }
  EXPECT_GE(events, 2);
  EXPECT_LE(events, parameters.max_events);
  EXPECT_EQ(touched.size(), program.locations.size());
  EXPECT_EQ(written.size(), program.locations.size());
  for (const auto &[location, by] : touched)
    EXPECT_GE(by.size(), 2u);
}

// The events of each thread without orders and fences: "Wx" writes x, "Ux" is a
// read-modify-write of it.
using Shape = std::vector<std::vector<std::string>>;

inline Shape ShapeOf(const Program &program) {
  Shape shape;
  for (const Thread &thread : program.threads) {
    shape.emplace_back();
    for (const Statement &statement : thread.body)
      if (statement.location >= 0) {
        const char *kind = statement.kind == Statement::Kind::kLoad    ? "R"
                           : statement.kind == Statement::Kind::kStore ? "W"
                                                                       : "U";
        shape.back().push_back(kind + program.locations[statement.location].name);
      }
  }
  return shape;
}

inline Shape ShapeOf(const std::string &text) {
  Shape shape(1);
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (word == "|")
      shape.emplace_back();
    else
      shape.back().push_back(word);
  return shape;
}

// The same for all renamings of threads and locations.
inline std::string Canonical(Shape shape) {
  std::sort(shape.begin(), shape.end());
  std::string least;
  do {
    std::map<char, char> names;
    std::string text;
    for (const auto &thread : shape) {
      for (const std::string &event : thread) {
        text += event[0];
        text += names.emplace(event[1], '0' + names.size()).first->second;
      }
      text += '|';
    }
    least = least.empty() ? text : std::min(least, text);
  } while (std::next_permutation(shape.begin(), shape.end()));
  return least;
}

} // namespace heddle::litmus

#endif // HEDDLE_TEST_LITMUS_SHAPES_H
