#include "demo_info.h"

#include "failure.h"
#include "printable.h"
#include "stored_file.h"

#include "heddle/demo/demo_file.h"
#include "heddle/demo/demo_meta.h"

#include <new>

namespace heddle::hunt {
namespace {

using namespace __heddle;

constexpr char kExecution[] = "EXECUTION";

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

bool IsDemo(const std::string &directory) { return IsThere(directory + "/META"); }

std::vector<std::string> DemoFiles() {
  std::vector<std::string> names;
  for (u32 stream = 0; stream < kDemoStreams; stream++)
    names.push_back(NameOf(DemoStream(stream)));
  names.push_back(kExecution);
  return names;
}

std::string ExecutionOf(const std::string &demo) { return demo + "/" + kExecution; }

DemoInfo ReadDemoInfo(const std::string &directory) {
  const std::string path = directory + "/META", bytes = ReadStored(path);
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
  for (const auto *texts : {&info.arguments, &info.environment})
    for (const std::string &each : *texts)
      if (each.find('\0') != each.npos)
        throw Failure(path + " is damaged: there is a zero in '" + Printable(each) +
                      "'. Record it anew.");
  return info;
}

} // namespace heddle::hunt
