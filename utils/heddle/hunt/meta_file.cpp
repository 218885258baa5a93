#include "meta_file.h"

#include "failure.h"
#include "stored_file.h"

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

class StringSink final : public DemoSink {
public:
  bool Write(const void *bytes, uptr size) override {
    text.append(static_cast<const char *>(bytes), size);
    return true;
  }

  std::string text;
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

std::string MetaPath(const std::string &demo) { return demo + "/" + NameOf(DemoStream::kMeta); }

MetaFile ReadMetaFile(const std::string &demo) {
  const std::string path = MetaPath(demo), bytes = ReadStored(path);
  CodecMemory<HeapMemory> codec;
  FrameReader<HeapMemory> reader(codec);
  DemoStatus status =
      reader.Open(reinterpret_cast<const u8 *>(bytes.data()), bytes.size(), DemoStream::kMeta);
  if (!status.Ok())
    Refuse(path, status);
  MetaFile file;
  file.id = reader.Id();
  std::string text;
  FrameReader<HeapMemory>::Frame frame;
  // The runtime reads one frame, too: what is shown here is what is run there.
  if (reader.Next(frame)) {
    text.assign(reinterpret_cast<const char *>(frame.content.data), frame.content.size);
    file.until = frame.until;
    file.last = frame.last;
    if (reader.Next(frame))
      Refuse(path, {DemoError::kBadMeta, 0});
  }
  if (!reader.Status().Usable() || text.empty())
    Refuse(path, reader.Status());
  MetaReader meta;
  status = meta.Open({reinterpret_cast<const u8 *>(text.data()), text.size()});
  if (!status.Ok())
    Refuse(path, status);
  for (MetaReader::Line line; meta.Next(line);)
    file.lines.push_back({std::string(reinterpret_cast<const char *>(line.key.data), line.key.size),
                          TextOf(line.value)});
  return file;
}

void WriteMetaFile(const std::string &demo, const MetaFile &file) {
  CodecMemory<HeapMemory> codec;
  FrameWriter<HeapMemory> writer(codec);
  StringSink sink;
  writer.Start(sink, DemoStream::kMeta, file.id);
  MetaWriter<HeapMemory> meta(writer.Pending());
  for (const MetaLine &line : file.lines)
    meta.Add(line.key.c_str(), line.value.data(), line.value.size());
  writer.Flush(file.until, file.last);
  WriteStored(MetaPath(demo), sink.text);
}

} // namespace heddle::hunt
