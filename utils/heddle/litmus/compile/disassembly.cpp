#include "disassembly.h"

#include <cctype>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>

namespace heddle::litmus::compile {
namespace {

// "  400150:      \tldr\tw0, [x1]" or "   10104: a0 10 00 00  \t.word\t0x000010a0".
struct Printed {
  uint64_t address = 0;
  std::string text;
};

std::optional<Printed> ReadLine(const std::string &line) {
  size_t begin = line.find_first_not_of(' ');
  if (begin == line.npos || !std::isxdigit(static_cast<unsigned char>(line[begin])))
    return std::nullopt;
  char *end = nullptr;
  Printed printed;
  printed.address = strtoull(line.c_str() + begin, &end, 16);
  if (*end != ':')
    return std::nullopt; // "00010104 <P0>:", the name of what follows
  const size_t tab = line.find('\t');
  if (tab == line.npos)
    return std::nullopt;
  size_t text = line.find_first_not_of(" \t", tab);
  if (text == line.npos)
    return std::nullopt;
  printed.text = line.substr(text);
  while (std::isspace(static_cast<unsigned char>(printed.text.back())))
    printed.text.pop_back();
  return printed;
}

bool IsPrefix(const std::string &text) {
  static const std::set<std::string> prefixes = {"lock",  "rep",    "repz",
                                                 "repne", "data16", "notrack"};
  return prefixes.count(text) > 0;
}

uint64_t EndOfSection(uint64_t address, const std::map<uint64_t, uint64_t> &section_ends) {
  auto next = section_ends.upper_bound(address);
  return next == section_ends.begin() ? address : std::prev(next)->second;
}

} // namespace

Lines ReadDisassembly(const std::string &text, const std::map<uint64_t, uint64_t> &section_ends) {
  std::map<uint64_t, std::string> printed;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (std::optional<Printed> one = ReadLine(line))
      printed[one->address] = one->text;
  Lines lines;
  for (auto at = printed.begin(); at != printed.end();) {
    const uint64_t address = at->first;
    std::string words = at->second;
    const uint64_t section_end = EndOfSection(address, section_ends);
    for (++at; IsPrefix(words) && at != printed.end() && at->first < section_end; ++at)
      words += " " + at->second;
    if (words[0] == '.')
      continue;
    const bool last = at == printed.end() || at->first >= section_end;
    lines[address] = {int((last ? section_end : at->first) - address), words};
  }
  return lines;
}

} // namespace heddle::litmus::compile
