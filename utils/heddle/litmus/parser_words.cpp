// Tables of words with their reasons, and how near two names are.
#include "parser_words.h"

#include "lexer.h"

#include <algorithm>
#include <utility>

namespace heddle::litmus {
namespace {

struct Unsupported {
  std::string_view text, reason;
};
constexpr Unsupported kUnsupportedStatements[] = {
    {"while", "loops are not supported, so that every execution is finite"},
    {"for", "loops are not supported, so that every execution is finite"},
    {"do", "loops are not supported, so that every execution is finite"},
    {"goto", "'goto' is not supported"},
    {"break", "'break' is not supported"},
    {"continue", "'continue' is not supported"},
    {"switch", "'switch' is not supported; use 'if'"},
    {"return", "'return' is not supported; use 'if'"},
};
constexpr Unsupported kUnsupportedOperators[] = {
    {"/", "division is not supported"},
    {"%", "division is not supported"},
    {"<<", "shifts are not supported"},
    {">>", "shifts are not supported"},
    {"?", "the conditional operator is not supported; use 'if'"},
    {"++", "'++' is not supported; write 'r = r + 1'"},
    {"--", "'--' is not supported; write 'r = r - 1', or '- -1'"},
    {"->", "structures are not supported"},
    {".", "structures are not supported"},
    {"[", "arrays are not supported"},
    {"+=", "compound assignment is not supported; write 'r = r + ...'"},
    {"-=", "compound assignment is not supported; write 'r = r - ...'"},
    {"*=", "compound assignment is not supported; write 'r = r * ...'"},
    {"&=", "compound assignment is not supported; write 'r = r & ...'"},
    {"|=", "compound assignment is not supported; write 'r = r | ...'"},
    {"^=", "compound assignment is not supported; write 'r = r ^ ...'"},
    {"/=", "division is not supported"},
    {"%=", "division is not supported"},
    {"<<=", "shifts are not supported"},
    {">>=", "shifts are not supported"},
};
constexpr Unsupported kUnsupportedFunctions[] = {
    {"atomic_init", "'atomic_init' is not supported; set initial values in the block before P0"},
    {"atomic_signal_fence",
     "'atomic_signal_fence' is not supported: it orders nothing between threads"},
};
constexpr std::string_view kUnsupportedTypes[] = {
    "unsigned",    "signed",      "short",  "char",  "bool",       "_Bool",
    "float",       "double",      "struct", "union", "enum",       "auto",
    "atomic_bool", "atomic_uint", "size_t", "void",  "__int128_t",
};
constexpr std::string_view kTypes[] = {"int",     "long",  "atomic_int", "atomic_long",
                                       "_Atomic", "const", "volatile"};

template <class T, size_t N> bool Contains(const T (&list)[N], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

template <size_t N> std::string_view ReasonIn(const Unsupported (&list)[N], std::string_view text) {
  for (const Unsupported &unsupported : list)
    if (unsupported.text == text)
      return unsupported.reason;
  return {};
}

// Levenshtein's.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

} // namespace

bool IsTypeWord(std::string_view text) { return Contains(kTypes, text) || IsUnsupportedType(text); }

bool IsUnsupportedType(std::string_view text) { return Contains(kUnsupportedTypes, text); }

bool IsKeyword(std::string_view text) {
  return text == "if" || text == "else" || IsTypeWord(text) ||
         !WhyUnsupportedStatement(text).empty();
}

std::string_view WhyUnsupportedStatement(std::string_view text) {
  return ReasonIn(kUnsupportedStatements, text);
}

std::string_view WhyUnsupportedOperator(std::string_view text) {
  return ReasonIn(kUnsupportedOperators, text);
}

std::string_view WhyUnsupportedFunction(std::string_view text) {
  return ReasonIn(kUnsupportedFunctions, text);
}

std::string Similar(std::string_view name, const std::vector<std::string> &candidates) {
  if (name.size() > 64)
    return {};
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string &candidate : candidates) {
    size_t distance = Distance(name, candidate);
    if (distance <= std::max<size_t>(1, candidate.size() / 4))
      near.push_back({distance, candidate});
  }
  std::sort(near.begin(), near.end());
  if (near.size() > 3)
    near.resize(3);
  std::string text;
  for (const auto &[distance, candidate] : near)
    text += (text.empty() ? "; did you mean " : ", ") + Quote(candidate);
  return text.empty() ? text : text + "?";
}

} // namespace heddle::litmus
