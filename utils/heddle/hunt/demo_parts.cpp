#include "demo_parts.h"

#include "demo_info.h"
#include "failure.h"
#include "files.h"
#include "stored_file.h"

namespace heddle::hunt {
namespace {

constexpr size_t kMostParts = 100'000, kDeepest = 200;

bool IsPartName(const std::string &name) {
  return name == "exec" || name.compare(0, 6, "child-") == 0;
}

void Collect(const std::string &demo, const std::string &part, size_t depth,
             std::vector<std::string> *parts) {
  if (depth > kDeepest || parts->size() > kMostParts)
    throw Failure(demo +
                  " has more parts within each other than a recording has. It is damaged, or "
                  "was made to do harm.");
  parts->push_back(part);
  for (const std::string &name : NamesIn(demo + "/" + part)) {
    const std::string inner = part.empty() ? name : part + "/" + name;
    if (IsPartName(name) && IsStoredDirectory(demo + "/" + inner))
      Collect(demo, inner, depth + 1, parts);
  }
}

} // namespace

std::vector<std::string> DemoParts(const std::string &demo) {
  std::vector<std::string> parts;
  Collect(demo, "", 0, &parts);
  return parts;
}

std::vector<std::string> FilesOfDemo(const std::string &demo) {
  std::vector<std::string> files;
  for (const std::string &part : DemoParts(demo))
    for (const std::string &name : DemoFiles())
      if (const std::string file = part.empty() ? name : part + "/" + name;
          IsThere(demo + "/" + file))
        files.push_back(file);
  return files;
}

MetaFiles ReadMetaFiles(const std::string &demo) {
  MetaFiles files;
  for (const std::string &part : DemoParts(demo))
    if (const std::string path = demo + "/" + part; part.empty() || IsThere(MetaPath(path)))
      files[part] = ReadMetaFile(path);
  return files;
}

void WriteMetaFiles(const std::string &demo, const MetaFiles &files) {
  for (const auto &[part, file] : files)
    WriteMetaFile(demo + "/" + part, file);
}

} // namespace heddle::hunt
