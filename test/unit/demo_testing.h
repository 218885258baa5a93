// What the tests of heddle/demo share: files in memory, and their frames as vectors.

#ifndef HEDDLE_TEST_UNIT_DEMO_TESTING_H
#define HEDDLE_TEST_UNIT_DEMO_TESTING_H

#include "choice_testing.h"
#include "heddle/demo/demo_file.h"

#include <string>
#include <vector>

namespace __heddle {

inline bool operator==(ByteSpan a, ByteSpan b) {
  return std::vector<u8>(a.data, a.data + a.size) == std::vector<u8>(b.data, b.data + b.size);
}

namespace testing_demo {
using testing_choice::CountingMemory;

using Bytes = Growable<u8, CountingMemory>;
using Codec = CodecMemory<CountingMemory>;
using Writer = FrameWriter<CountingMemory>;
using Reader = FrameReader<CountingMemory>;
using ByteVector = std::vector<u8>;

inline ByteVector ToVector(ByteSpan span) { return {span.data, span.data + span.size}; }
inline ByteVector ToVector(const Bytes &bytes) {
  return {bytes.Data(), bytes.Data() + bytes.Size()};
}
inline ByteSpan ToSpan(const ByteVector &bytes) { return {bytes.data(), bytes.size()}; }
inline ByteSpan ToSpan(const Bytes &bytes) { return {bytes.Data(), bytes.Size()}; }

// A file that a disk of `capacity` bytes has room for.
class MemoryFile final : public DemoSink {
public:
  explicit MemoryFile(uptr capacity = ~uptr(0)) : capacity_(capacity) {}

  bool Write(const void *data, uptr size) override {
    const u8 *first = static_cast<const u8 *>(data);
    uptr fitting = std::min(size, capacity_ - bytes.size());
    bytes.insert(bytes.end(), first, first + fitting);
    writes++;
    return fitting == size;
  }

  ByteVector bytes;
  int writes = 0;

private:
  uptr capacity_;
};

struct FrameCopy {
  u64 until;
  bool last;
  ByteVector content;

  bool operator==(const FrameCopy &other) const {
    return until == other.until && last == other.last && content == other.content;
  }
};

// All good frames of a file, and why there is no more.
inline std::vector<FrameCopy> ReadAll(const ByteVector &file, DemoStream stream, DemoStatus &status,
                                      u64 id = 0) {
  Codec codec;
  Reader reader(codec);
  std::vector<FrameCopy> frames;
  reader.Open(file.data(), file.size(), stream, id);
  for (Reader::Frame frame; reader.Next(frame);)
    frames.push_back({frame.until, frame.last, ToVector(frame.content)});
  status = reader.Status();
  return frames;
}

} // namespace testing_demo
} // namespace __heddle

#endif // HEDDLE_TEST_UNIT_DEMO_TESTING_H
