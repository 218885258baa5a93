// A path as the value of a flag. TSAN_OPTIONS cannot hold one that has both kinds of quotes; such a
// path is reached through a link in a temporary directory, which is there as long as this is.
#ifndef HEDDLE_HUNT_PLAIN_PATH_H
#define HEDDLE_HUNT_PLAIN_PATH_H

#include "files.h"

#include <optional>
#include <string>

namespace heddle::hunt {

class PlainPath {
public:
  // `path` is absolute, and there. Throws Failure if there can be no link.
  explicit PlainPath(const std::string &path);

  const std::string &Text() const { return text_; }

private:
  std::string text_;
  std::optional<TemporaryDirectory> place_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_PLAIN_PATH_H
