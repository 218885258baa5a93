// The file META of a demo: what was run, line by line.
#ifndef HEDDLE_HUNT_META_FILE_H
#define HEDDLE_HUNT_META_FILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::hunt {

// The key of a variable, "NAME=value".
constexpr char kMetaEnvironment[] = "environment";

struct MetaLine {
  std::string key, value; // the value is any bytes
};

// The lines are those of its one frame. What else the file and the frame say is kept, so that one
// that is written has all that was read.
struct MetaFile {
  std::vector<MetaLine> lines;
  uint64_t id = 0, until = 0;
  bool last = true;
};

std::string MetaPath(const std::string &demo);
// Throw Failure if it is none, is damaged, or cannot be written.
MetaFile ReadMetaFile(const std::string &demo);
void WriteMetaFile(const std::string &demo, const MetaFile &meta);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_META_FILE_H
