// Writes files of demos for demo-fuzz to begin with: demo-seeds DIRECTORY

#include "heddle/choice/choice_log.h"
#include "heddle/choice/random.h"
#include "heddle/demo/demo_events.h"
#include "heddle/demo/demo_file.h"
#include "heddle/demo/demo_meta.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {
using namespace __heddle;

struct Memory {
  static void *Alloc(uptr bytes) { return malloc(bytes); }
  static void Free(void *block, uptr) { free(block); }
};
using Bytes = Growable<u8, Memory>;

class File final : public DemoSink {
public:
  explicit File(const std::string &path) : file_(fopen(path.c_str(), "wb")) {
    if (!file_) {
      perror(path.c_str());
      exit(1);
    }
  }
  ~File() { fclose(file_); }

  bool Write(const void *bytes, uptr size) override {
    return fwrite(bytes, 1, size, file_) == size;
  }

private:
  FILE *file_;
};

// The entries of one frame.
void Fill(Bytes &bytes, DemoStream stream, u32 entries, Random &random) {
  AsyncEncoder<Memory> async;
  SignalEncoder<Memory> signal;
  SyscallEncoder<Memory> call;
  QueueEncoder<Memory> queue;
  ChoiceLog<Memory> choices;
  u8 output[200];
  for (u8 &byte : output)
    byte = "GET / HTTP"[random.Below(10)];
  u64 tick = 0;
  for (u32 i = 0; i < entries; i++) {
    tick += random.Below(300);
    u32 thread = random.Below(4);
    switch (stream) {
    case DemoStream::kMeta:
      MetaWriter<Memory>(bytes).Add(i % 2 ? "argument" : "seed", output, random.Below(20));
      MetaWriter<Memory>(bytes).Add("ticks", tick);
      break;
    case DemoStream::kChoice:
      choices.Append({ChoiceKind(random.Below(kChoiceKinds)), 2 + random.Below(8), i % 2});
      break;
    case DemoStream::kQueue:
      queue.Append(bytes, i < entries / 2 ? i % 3 : thread);
      break;
    case DemoStream::kSignal:
      signal.Append(bytes, {tick, thread, u8(i), {output, random.Below(kMaxSignalInfo)}});
      break;
    case DemoStream::kSyscall:
      call.Begin(bytes, {tick, thread, u16(random.Below(20)), s64(i) - 1, i ? 0 : 11, 0});
      for (u32 part = random.Below(3); part; part--)
        call.AppendPart(bytes, output, random.Below(sizeof(output)));
      break;
    case DemoStream::kAsync:
      async.Append(bytes, {tick, thread, u8(random.Below(4))});
      break;
    }
  }
  bytes.Append(choices.View().data, choices.View().size);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 2;
  }
  Random random(1);
  for (u32 stream = 0; stream < kDemoStreams; stream++) {
    for (u32 variant = 0; variant < 4; variant++) {
      DemoStream of = DemoStream(stream);
      File file(std::string(argv[1]) + "/" + NameOf(of) + std::to_string(variant));
      CodecMemory<Memory> codec;
      FrameWriter<Memory> writer(codec);
      writer.Start(file, of, 1 + variant);
      for (u32 frame = 0; frame <= variant; frame++) {
        Fill(writer.Pending(), of, 3 + random.Below(20), random);
        writer.Flush(100 * frame, frame == 2,
                     variant % 2 ? FrameCoding::kAsIs : FrameCoding::kShortest);
        if (frame == 2)
          break;
      }
    }
  }
}
