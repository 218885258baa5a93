// A line of an execution: a JSON object whose members are numbers, words and lists of numbers.
//
// A general reader of JSON takes several seconds for the millions of lines of a long execution.
// This one copies nothing. It passes over values of other kinds, which later versions may write.
#ifndef HEDDLE_SHOW_LINE_H
#define HEDDLE_SHOW_LINE_H

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::show {

struct DamagedLine : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Line {
public:
  // Takes the place of the line before; `text` is kept in view. Throws DamagedLine, as all do.
  void Read(std::string_view text);

  bool Has(std::string_view name) const { return Find(name); }
  uint64_t Number(std::string_view name) const;
  unsigned Small(std::string_view name) const; // a number below 2^32
  bool Truth(std::string_view name) const;
  std::string Text(std::string_view name) const;
  std::vector<uint64_t> Numbers(std::string_view name) const;

  std::optional<uint64_t> NumberIf(std::string_view name) const {
    return Has(name) ? std::optional(Number(name)) : std::nullopt;
  }
  std::optional<unsigned> SmallIf(std::string_view name) const {
    return Has(name) ? std::optional(Small(name)) : std::nullopt;
  }

private:
  struct Member {
    std::string_view name, value; // as they are written
  };
  const Member *Find(std::string_view name) const;
  std::string_view Value(std::string_view name) const;

  std::vector<Member> members_;
};

} // namespace heddle::show

#endif // HEDDLE_SHOW_LINE_H
