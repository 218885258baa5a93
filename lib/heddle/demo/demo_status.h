//===-- demo_status.h - What can be wrong with a demo ---------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One list of errors for the files, the entries in them and META, so that whoever
// reads a demo has one thing to report.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_DEMO_DEMO_STATUS_H
#define HEDDLE_DEMO_DEMO_STATUS_H

#include "heddle/choice/types.h"

namespace __heddle {

enum class DemoError : u8 {
  kNone,
  kTruncated,     // the end is missing; what came before is good
  kNotADemo,      // another file
  kOtherVersion,  // of the format
  kOtherStream,   // a file of a demo under another one's name
  kOtherDemo,     // a file of another recording
  kDamaged,       // a checksum is wrong
  kMissingFrame,  // the frames are not all there, or not in order
  kBadFrame,      // good checksums, but nothing that a writer writes
  kTrailingBytes, // something follows the last frame
  kBadEntry,      // inside a frame
  kBadMeta,       // a line of META
  kTooLarge,      // it would take more memory than it may
};
constexpr u32 kDemoErrors = u32(DemoError::kTooLarge) + 1;

// A whole sentence for people, and what to do about it.
const char *ExplainDemoError(DemoError error);

struct DemoStatus {
  DemoError error = DemoError::kNone;
  uptr offset = 0; // of the header, frame, entry or line that is wrong

  bool Ok() const { return error == DemoError::kNone; }
  // A recording that was cut off is as good as a whole one, up to there.
  bool Usable() const { return Ok() || error == DemoError::kTruncated; }
};

} // namespace __heddle

#endif // HEDDLE_DEMO_DEMO_STATUS_H
