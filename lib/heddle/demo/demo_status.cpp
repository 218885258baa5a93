//===-- demo_status.cpp - What can be wrong with a demo, in words ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "heddle/demo/demo_status.h"

namespace __heddle {

const char *ExplainDemoError(DemoError error) {
  switch (error) {
  case DemoError::kNone:
    return "The file is whole.";
  case DemoError::kTruncated:
    return "The file has no end: the recording was killed, or the disk was full. "
           "It can be replayed up to there.";
  case DemoError::kNotADemo:
    return "This is no file of a demo: it does not begin with \"HDMO\". Is it another file?";
  case DemoError::kOtherVersion:
    return "The demo has a format that this version does not read. Use the version that wrote it.";
  case DemoError::kOtherStream:
    return "This is another file of a demo than its name says. Was it renamed?";
  case DemoError::kOtherDemo:
    return "This file belongs to another demo than META. "
           "Put the files of one recording together again, or record anew.";
  case DemoError::kDamaged:
    return "A checksum is wrong: the file was changed after it was written. Record again.";
  case DemoError::kMissingFrame:
    return "A part of the file is missing or comes twice: it was changed after it was written. "
           "Record again.";
  case DemoError::kBadFrame:
    return "The file has a frame that no version writes, with good checksums: another program "
           "wrote it. Record again.";
  case DemoError::kTrailingBytes:
    return "Something follows the end of the recording: it was changed after it was written. "
           "Record again.";
  case DemoError::kBadEntry:
    return "The file has an entry that this version does not know. Use the version that wrote it.";
  case DemoError::kBadMeta:
    return "META has a line that is no \"key value\". Use the version that wrote it.";
  case DemoError::kTooLarge:
    return "The demo would take more memory than it may. If you trust it, play_demo_mb=0 lets it "
           "take any.";
  }
  __builtin_unreachable();
}

} // namespace __heddle
