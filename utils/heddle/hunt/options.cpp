#include "options.h"

#include "failure.h"

#include <cstring>

namespace heddle::hunt {
namespace {

constexpr char kSeparators[] = " ,:\n\t\r";

bool Separates(char c) { return strchr(kSeparators, c) && c; }

} // namespace

Options::Options(const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    if (Separates(text[at])) {
      at++;
      continue;
    }
    const size_t begin = at;
    while (at < text.size() && text[at] != '=' && !Separates(text[at]))
      at++;
    const std::string name = text.substr(begin, at - begin);
    if (at == text.size() || text[at] != '=')
      throw Failure("a flag is a name=value, and " + name + " has no value.");
    const size_t value_begin = ++at;
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
      at = text.find(text[at], at + 1);
      if (at == std::string::npos)
        throw Failure("the value of the flag " + name + " has a quote that is not closed.");
      Set(name, text.substr(value_begin + 1, at - value_begin - 1));
      at++;
      continue;
    }
    while (at < text.size() && !Separates(text[at]))
      at++;
    Set(name, text.substr(value_begin, at - value_begin));
  }
}

Options &Options::Set(const std::string &name, const std::string &value) {
  if (value.find('"') != std::string::npos && value.find('\'') != std::string::npos)
    throw Failure("the value of " + name + " has both kinds of quotes, which TSAN_OPTIONS cannot " +
                  "hold: " + value + ". Use another name.");
  Remove(name);
  flags_.emplace_back(name, value);
  return *this;
}

Options &Options::Add(const Options &others) {
  for (const auto &[name, value] : others.flags_)
    Set(name, value);
  return *this;
}

Options &Options::Remove(const std::string &name) {
  const size_t at = Find(name);
  if (at != flags_.size())
    flags_.erase(flags_.begin() + long(at));
  return *this;
}

std::vector<std::string> Options::Names() const {
  std::vector<std::string> names;
  for (const auto &[name, value] : flags_)
    names.push_back(name);
  return names;
}

std::string Options::Get(const std::string &name) const {
  const size_t at = Find(name);
  return at == flags_.size() ? "" : flags_[at].second;
}

std::string Options::Text() const {
  std::string text;
  for (const auto &[name, value] : flags_) {
    text += (text.empty() ? "" : " ") + name + "=";
    if (value.find_first_of(" ,:\n\t\r\"'") == std::string::npos)
      text += value;
    else if (value.find('"') == std::string::npos)
      text += '"' + value + '"';
    else
      text += '\'' + value + '\'';
  }
  return text;
}

size_t Options::Find(const std::string &name) const {
  size_t at = 0;
  while (at < flags_.size() && flags_[at].first != name)
    at++;
  return at;
}

} // namespace heddle::hunt
