//===-- heddle_pipes.h - What the program writes to itself ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread reads from a pipe that another thread of the program has written to need not be
// in the demo: in a replay the writer has it again. The entry of the read then says which writes
// its bytes are of, in place of the bytes: thread, number of the write among the thread's, offset,
// size, as often as it takes. When reads and writes end, and with what result, is in the demo as
// for any other descriptor, and in a replay there is no pipe.
//
// Nobody needs to know whether both ends stay inside. A recording keeps what is written until it
// is read, and compares: only if a read brought exactly the bytes of writes that had begun before
// it ended are they left out. Otherwise - another process writes, reads, or has spliced something
// in between, two writes were mixed - they are recorded. So the replay's bytes are those of the
// recording if the writer's are; and the write had begun before the read ended, so in the replay
// it has, too.
//
// Known are pipes and pairs of stream sockets that the program has made itself.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_PIPES_H
#define HEDDLE_RTL_PIPES_H

#include "heddle/demo/demo_bytes.h"
#include "heddle/rtl/heddle_control_impl.h"

#include <sys/uio.h>

namespace __heddle {

using Bytes = Growable<u8, RuntimeMemory>;

// A call that writes, from before it begins. In a replay its bytes are kept if the demo has
// a read that brings them.
class PipeWrite {
public:
  PipeWrite(int fd, const void *data, uptr size);
  PipeWrite(int fd, const iovec *parts, uptr count);
  // What it returned.
  void Ended(s64 result) const;

private:
  u64 pipe_ = 0; // its number, if it is known
  u64 number_ = 0;
  ThreadId thread_ = 0;
};

// In a recording: what is written to one can be read from the other.
void NewPipe(int reads, int writes);

// In the child of a fork: what its parent has written is nothing that it has written itself.
void ForgetPipes();

// In a recording: whether all that a call has read from there has been written by the program.
// Then `references` says where.
bool WrittenByProgram(int fd, const u8 *data, uptr size, Bytes &references);

// In a replay: gets it from there. Stops the replay if nobody has written it.
void ReadReferences(ByteSpan references, u8 *data, uptr size);

// One of them.
struct WriteReference {
  ThreadId thread;
  u64 number;
  uptr offset, size;
};
// False at the end, and if they are malformed.
bool NextReference(ByteReader &reader, WriteReference &reference);

} // namespace __heddle

#endif // HEDDLE_RTL_PIPES_H
