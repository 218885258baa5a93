// herd7 prints a test's states as
//
//     States 3
//     1:X0=0; 1:X2=0;
//     ...
//
// one per line, which has been so in all its versions; newer ones write locations
// with brackets.
#include "herd.h"

#include <cstdlib>

namespace heddle::litmus::hardware {
namespace {

// Takes a line off `rest`.
std::string_view TakeLine(std::string_view *rest) {
  size_t end = rest->find('\n');
  std::string_view line = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return line;
}

std::string Join(const HerdState &state) {
  std::string text;
  for (const std::string &part : state)
    text += (text.empty() ? "" : " ") + part + ";";
  return text;
}

} // namespace

HerdState SplitState(std::string_view line) {
  HerdState state;
  std::string part;
  for (char c : line) {
    if (c == ';') {
      if (!part.empty())
        state.insert(part);
      part.clear();
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '[' && c != ']') {
      part += c;
    }
  }
  return state;
}

std::optional<HerdStates> ParseHerdStates(std::string_view output) {
  constexpr std::string_view kStates = "States ";
  while (!output.empty()) {
    std::string_view line = TakeLine(&output);
    if (line.substr(0, kStates.size()) != kStates)
      continue;
    long count = std::atol(std::string(line.substr(kStates.size())).c_str());
    HerdStates states;
    for (long i = 0; i < count && !output.empty(); i++)
      states.insert(SplitState(TakeLine(&output)));
    return states;
  }
  return std::nullopt;
}

std::string DescribeDifference(const HerdStates &ours, const HerdStates &theirs) {
  std::string text;
  for (const HerdState &state : ours)
    if (!theirs.count(state))
      text += "  only here:    " + Join(state) + "\n";
  for (const HerdState &state : theirs)
    if (!ours.count(state))
      text += "  only in herd: " + Join(state) + "\n";
  return text;
}

} // namespace heddle::litmus::hardware
