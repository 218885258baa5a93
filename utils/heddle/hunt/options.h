// Flags as they stand in TSAN_OPTIONS: an ordered list of name=value, the last of a name counts.
#ifndef HEDDLE_HUNT_OPTIONS_H
#define HEDDLE_HUNT_OPTIONS_H

#include <string>
#include <utility>
#include <vector>

namespace heddle::hunt {

class Options {
public:
  Options() = default;
  // As the runtime reads them: separated by spaces, commas, colons or newlines, values quoted if
  // they have such. Throws Failure if there is no value, or a quote is not closed. Names are not
  // looked at: see flags.h.
  explicit Options(const std::string &text);

  // Replaces an earlier value. Throws Failure if no quotes can hold it.
  Options &Set(const std::string &name, const std::string &value);
  Options &Set(const std::string &name, unsigned long long value) {
    return Set(name, std::to_string(value));
  }
  Options &Add(const Options &others);
  Options &Remove(const std::string &name);

  bool Has(const std::string &name) const { return Find(name) != flags_.size(); }
  std::vector<std::string> Names() const;
  // Nothing if it is not there.
  std::string Get(const std::string &name) const;

  std::string Text() const;
  // In their order.
  const std::vector<std::pair<std::string, std::string>> &All() const { return flags_; }

private:
  size_t Find(const std::string &name) const;

  std::vector<std::pair<std::string, std::string>> flags_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_OPTIONS_H
