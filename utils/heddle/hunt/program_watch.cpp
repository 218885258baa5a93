#include "program_watch.h"

namespace heddle::hunt {

ProgramWatch::ProgramWatch(const std::string &path) : path_(path), before_{} {
  stat(path_.c_str(), &before_);
}

bool ProgramWatch::Changed() const {
  struct stat now;
  return stat(path_.c_str(), &now) || now.st_dev != before_.st_dev ||
         now.st_ino != before_.st_ino || now.st_size != before_.st_size ||
         now.st_mtim.tv_sec != before_.st_mtim.tv_sec ||
         now.st_mtim.tv_nsec != before_.st_mtim.tv_nsec;
}

} // namespace heddle::hunt
