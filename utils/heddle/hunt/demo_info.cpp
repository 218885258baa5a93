#include "demo_info.h"

#include "failure.h"
#include "files.h"

#include "heddle/demo/demo_file.h"
#include "heddle/demo/demo_meta.h"

#include <new>

namespace heddle::hunt {
namespace {

using namespace __heddle;

struct HeapMemory {
  static void *Alloc(uptr size) { return ::operator new(size, std::align_val_t(16)); }
  static void Free(void *block, uptr) { ::operator delete(block, std::align_val_t(16)); }
};

std::string TextOf(const MetaValue &value) {
  char none[1];
  std::string text(value.CopyTo(none, sizeof(none)) + 1, '\0');
  value.CopyTo(text.data(), text.size());
  text.pop_back();
  return text;
}

[[noreturn]] void Refuse(const std::string &path, const DemoStatus &status) {
  throw Failure(path + ", byte " + std::to_string(status.offset) + ": " +
                ExplainDemoError(status.error));
}

} // namespace

std::string DemoInfo::Variable(const std::string &name) const {
  for (const std::string &variable : environment)
    if (variable.compare(0, name.size() + 1, name + "=") == 0)
      return variable.substr(name.size() + 1);
  return "";
}

bool IsDemo(const std::string &directory) { return Exists(directory + "/META"); }

DemoInfo ReadDemoInfo(const std::string &directory) {
  const std::string path = directory + "/META", bytes = ReadFile(path);
  CodecMemory<HeapMemory> codec;
  FrameReader<HeapMemory> reader(codec);
  DemoStatus status =
      reader.Open(reinterpret_cast<const u8 *>(bytes.data()), bytes.size(), DemoStream::kMeta);
  if (!status.Ok())
    Refuse(path, status);
  std::string text;
  FrameReader<HeapMemory>::Frame frame;
  // The runtime reads one frame, too: what is shown here is what is run there.
  if (reader.Next(frame)) {
    text.assign(reinterpret_cast<const char *>(frame.content.data), frame.content.size);
    if (reader.Next(frame))
      Refuse(path, {DemoError::kBadMeta, 0});
  }
  if (!reader.Status().Usable() || text.empty())
    Refuse(path, reader.Status());
  MetaReader meta;
  status = meta.Open({reinterpret_cast<const u8 *>(text.data()), text.size()});
  if (!status.Ok())
    Refuse(path, status);
  DemoInfo info;
  for (MetaReader::Line line; meta.Next(line);) {
    if (line.Is("argument"))
      info.arguments.push_back(TextOf(line.value));
    else if (line.Is("environment"))
      info.environment.push_back(TextOf(line.value));
    else if (line.Is("build") && info.build.empty())
      info.build = TextOf(line.value);
  }
  if (info.arguments.empty())
    throw Failure(path + " names no program: the recording ended before it began. Record it anew.");
  if (info.build.empty())
    throw Failure(path + " does not say with which build of the program it was recorded. Record it "
                         "anew.");
  return info;
}

} // namespace heddle::hunt
