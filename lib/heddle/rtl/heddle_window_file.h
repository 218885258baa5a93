//===-- heddle_window_file.h - A file that is written through a window ----===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For many small pieces, each of which must survive the process, however it ends. A system call for
// each costs more than the piece itself. So a part of the file is mapped, and a piece is copied
// there: what has been copied belongs to the kernel. Room on the disk is reserved before a part is
// mapped, so that a full disk is an error, and no SIGBUS.
//
// Until Cut() the file may end in bytes of 0.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_WINDOW_FILE_H
#define HEDDLE_RTL_WINDOW_FILE_H

#include "sanitizer_common/sanitizer_file.h"

namespace __heddle {

// There is one: the window stands in the runtime's own data, since no mapping may be made among the
// program's. The caller sees to it that one thread uses it at a time.
class WindowFile {
public:
  // Ends the program with a message if the file cannot be written.
  void Open(const char *flag, const char *path);
  // Returns 0, or errno.
  int Append(const char *bytes, __sanitizer::uptr size);
  // To what was appended. More may follow.
  void Cut();

private:
  static constexpr __sanitizer::uptr kSize = 1 << 18;
  static char window_[kSize];

  // Maps the next part.
  int Advance();

  __sanitizer::fd_t file_ = -1;
  bool can_map_ = false;
  bool mapped_ = false;
  __sanitizer::uptr begin_ = 0; // of the window in the file
  __sanitizer::uptr used_ = 0;  // of the window
};

} // namespace __heddle

#endif // HEDDLE_RTL_WINDOW_FILE_H
