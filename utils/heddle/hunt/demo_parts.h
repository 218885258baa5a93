// The parts of a demo: its own, and those of children and of programs that were executed, which are
// directories within it (lib/heddle/rtl/heddle_recorded_children.h).
#ifndef HEDDLE_HUNT_DEMO_PARTS_H
#define HEDDLE_HUNT_DEMO_PARTS_H

#include "meta_file.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::hunt {

// The paths of all parts below the demo, the first of which is empty and the demo itself. Throws
// Failure if there are more than any recording has.
std::vector<std::string> DemoParts(const std::string &demo);
// The paths of all files below the demo that a demo may have, marks aside. They may be of any kind:
// see stored_file.h.
std::vector<std::string> FilesOfDemo(const std::string &demo);

// What META says, by part. Those that have none are not there: a child that ended before it began.
using MetaFiles = std::map<std::string, MetaFile>;
MetaFiles ReadMetaFiles(const std::string &demo);
void WriteMetaFiles(const std::string &demo, const MetaFiles &files);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_DEMO_PARTS_H
