#include "line.h"

#include <charconv>

namespace heddle::show {
namespace {

[[noreturn]] void Damaged(const std::string &what) { throw DamagedLine(what); }

// Goes over the text of a line.
class Cursor {
public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool AtEnd() const { return at_ == end_; }
  bool Take(char c) {
    const bool here = at_ != end_ && *at_ == c;
    at_ += here;
    return here;
  }
  void Expect(char c) {
    if (!Take(c))
      Damaged(std::string("there should be a '") + c + "'");
  }

  // With its quotes.
  std::string_view String() {
    const char *begin = at_;
    Expect('"');
    while (at_ != end_ && *at_ != '"')
      at_ += *at_ == '\\' && end_ - at_ > 1 ? 2 : 1;
    Expect('"');
    return {begin, size_t(at_ - begin)};
  }

  std::string_view Value() {
    const char *begin = at_;
    if (at_ != end_ && *at_ == '"')
      return String();
    // What is within brackets may have commas.
    for (unsigned depth = 0; at_ != end_;) {
      if (*at_ == '"') {
        String();
        continue;
      }
      if (*at_ == '[' || *at_ == '{')
        depth++;
      else if (!depth && (*at_ == ',' || *at_ == '}'))
        break;
      else if (depth && (*at_ == ']' || *at_ == '}'))
        depth--;
      at_++;
    }
    if (begin == at_)
      Damaged("a value is missing");
    return {begin, size_t(at_ - begin)};
  }

private:
  const char *at_, *end_;
};

uint64_t ToNumber(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    Damaged("'" + std::string(text.substr(0, 40)) + "' should be a number");
  return number;
}

} // namespace

void Line::Read(std::string_view text) {
  members_.clear();
  Cursor cursor(text);
  cursor.Expect('{');
  do {
    const std::string_view name = cursor.String();
    cursor.Expect(':');
    members_.push_back({name.substr(1, name.size() - 2), cursor.Value()});
  } while (cursor.Take(','));
  cursor.Expect('}');
  if (!cursor.AtEnd())
    Damaged("there is something after its end");
}

const Line::Member *Line::Find(std::string_view name) const {
  for (const Member &member : members_)
    if (member.name == name)
      return &member;
  return nullptr;
}

std::string_view Line::Value(std::string_view name) const {
  const Member *member = Find(name);
  if (!member)
    Damaged("it has no '" + std::string(name) + "'");
  return member->value;
}

uint64_t Line::Number(std::string_view name) const { return ToNumber(Value(name)); }

unsigned Line::Small(std::string_view name) const {
  const uint64_t number = Number(name);
  if (number > UINT32_MAX)
    Damaged("'" + std::string(name) + "' is too large");
  return unsigned(number);
}

bool Line::Truth(std::string_view name) const { return Value(name) == "true"; }

std::string Line::Text(std::string_view name) const {
  const std::string_view value = Value(name);
  if (value.size() < 2 || value[0] != '"')
    Damaged("'" + std::string(name) + "' should be a text");
  std::string text;
  for (size_t i = 1; i + 1 < value.size(); i++) {
    if (value[i] == '\\' && i + 2 < value.size())
      i++;
    text += value[i];
  }
  return text;
}

std::vector<uint64_t> Line::Numbers(std::string_view name) const {
  std::string_view value = Value(name);
  if (value.size() < 2 || value.front() != '[' || value.back() != ']')
    Damaged("'" + std::string(name) + "' should be a list");
  std::vector<uint64_t> numbers;
  value = value.substr(1, value.size() - 2);
  for (bool more = !value.empty(); more;) {
    const size_t comma = value.find(',');
    numbers.push_back(ToNumber(value.substr(0, comma)));
    more = comma != value.npos;
    if (more)
      value.remove_prefix(comma + 1);
  }
  return numbers;
}

} // namespace heddle::show
