#include "demo_info.h"

#include "failure.h"
#include "meta_file.h"
#include "printable.h"
#include "stored_file.h"

#include "heddle/demo/demo_file.h"

namespace heddle::hunt {
namespace {

using namespace __heddle;

constexpr char kExecution[] = "EXECUTION";

} // namespace

std::string DemoInfo::Variable(const std::string &name) const {
  for (const std::string &variable : environment)
    if (variable.compare(0, name.size() + 1, name + "=") == 0)
      return variable.substr(name.size() + 1);
  return "";
}

bool IsDemo(const std::string &directory) { return IsThere(MetaPath(directory)); }

std::vector<std::string> DemoFiles() {
  std::vector<std::string> names;
  for (u32 stream = 0; stream < kDemoStreams; stream++)
    names.push_back(NameOf(DemoStream(stream)));
  names.push_back(kExecution);
  return names;
}

std::string ExecutionOf(const std::string &demo) { return demo + "/" + kExecution; }

DemoInfo ReadDemoInfo(const std::string &directory) {
  const std::string path = MetaPath(directory);
  DemoInfo info;
  for (const MetaLine &line : ReadMetaFile(directory).lines) {
    if (line.key == "argument")
      info.arguments.push_back(line.value);
    else if (line.key == kMetaEnvironment)
      info.environment.push_back(line.value);
    else if (line.key == "build" && info.build.empty())
      info.build = line.value;
    else if (line.key == "forked")
      throw Failure(directory +
                    " is of the child of a fork, and goes on from where its parent was. "
                    "Name the demo that it is in.");
  }
  if (info.arguments.empty())
    throw Failure(path + " names no program: the recording ended before it began. Record it anew.");
  if (info.build.empty())
    throw Failure(path + " does not say with which build of the program it was recorded. Record it "
                         "anew.");
  for (const auto *texts : {&info.arguments, &info.environment})
    for (const std::string &each : *texts)
      if (each.find('\0') != each.npos)
        throw Failure(path + " is damaged: there is a zero in '" + Printable(each) +
                      "'. Record it anew.");
  return info;
}

} // namespace heddle::hunt
