#include "plain_path.h"

#include "failure.h"

#include <cerrno>
#include <cstring>

#include <unistd.h>

namespace heddle::hunt {

PlainPath::PlainPath(const std::string &path) : text_(path) {
  if (path.find('"') == path.npos || path.find('\'') == path.npos)
    return;
  place_.emplace();
  text_ = place_->Path() + "/link";
  if (symlink(path.c_str(), text_.c_str()))
    throw Failure("cannot make a link " + text_ + ": " + strerror(errno));
}

} // namespace heddle::hunt
