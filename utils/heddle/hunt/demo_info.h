// What a demo says about the run that it has: its META file.
#ifndef HEDDLE_HUNT_DEMO_INFO_H
#define HEDDLE_HUNT_DEMO_INFO_H

#include <string>
#include <vector>

namespace heddle::hunt {

struct DemoInfo {
  std::vector<std::string> arguments;   // the program's name first
  std::vector<std::string> environment; // "NAME=value"
  std::string build;                    // of the program

  // The value of a variable, or nothing.
  std::string Variable(const std::string &name) const;
};

bool IsDemo(const std::string &directory);
// The names of all files that a demo may have, its mark aside.
std::vector<std::string> DemoFiles();
// Of the file with what `heddle show` shows, if the demo has it.
std::string ExecutionOf(const std::string &demo);
// Throws Failure if it is no demo, or damaged.
DemoInfo ReadDemoInfo(const std::string &directory);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_DEMO_INFO_H
