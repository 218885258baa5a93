// Whether the program is still the one that a hunt began with. Fork servers go on with the old one
// when it is built anew, other executions start the new one, or half of it: what they show is
// nobody's finding.
#ifndef HEDDLE_HUNT_PROGRAM_WATCH_H
#define HEDDLE_HUNT_PROGRAM_WATCH_H

#include <string>

#include <sys/stat.h>

namespace heddle::hunt {

class ProgramWatch {
public:
  explicit ProgramWatch(const std::string &path);

  bool Changed() const;

private:
  std::string path_;
  struct stat before_;
};

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_PROGRAM_WATCH_H
