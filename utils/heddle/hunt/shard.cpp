#include "shard.h"

#include "failure.h"

#include <cerrno>
#include <cstdlib>

namespace heddle::hunt {
namespace {

// Digits only, below 2^32.
bool ReadNumber(const std::string &text, uint64_t *number) {
  if (text.empty() || text.size() > 9 || text.find_first_not_of("0123456789") != text.npos)
    return false;
  *number = strtoull(text.c_str(), nullptr, 10);
  return true;
}

} // namespace

Shard ReadShard(const std::string &text) {
  Shard shard;
  const size_t slash = text.find('/');
  if (slash == text.npos || !ReadNumber(text.substr(0, slash), &shard.index) ||
      !ReadNumber(text.substr(slash + 1), &shard.count) || shard.index >= shard.count)
    throw Failure("--shard is I/N with I from 0 to N - 1, as in 0/4, 1/4, 2/4, 3/4; not '" + text +
                  "'.");
  return shard;
}

double ReadDuration(const std::string &text) {
  char *end = nullptr;
  errno = 0;
  const double number = strtod(text.c_str(), &end);
  const std::string unit = end;
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (end == text.c_str() || errno || !scale || !(number > 0) || number * scale > 1e9)
    throw Failure("a time is a number of seconds, or as 90s, 5m, 2h; not '" + text + "'.");
  return number * scale;
}

} // namespace heddle::hunt
