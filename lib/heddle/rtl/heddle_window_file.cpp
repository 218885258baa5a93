//===-- heddle_window_file.cpp - A file that is written through a window --===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_window_file.h"

#include "heddle/rtl/heddle_own_files.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace __sanitizer;

namespace __heddle {

// The largest page that Linux has on any architecture.
alignas(1 << 16) char WindowFile::window_[kSize];

void WindowFile::Open(const char *flag, const char *path) {
  file_ = CreateOwnFile(flag, path, RdWr);
  // A pipe or a device is written to as it comes. The file may be an old one.
  can_map_ = internal_ftruncate(file_, 0) == 0;
}

int WindowFile::Advance() {
  begin_ += used_;
  used_ = begin_ % GetPageSizeCached();
  begin_ -= used_;
  mapped_ = false;
  if (const int error = ReserveOwnFile(file_, begin_, kSize))
    return error;
  int error = 0;
  const uptr mapped =
      internal_mmap(window_, kSize, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_, begin_);
  mapped_ = !internal_iserror(mapped, &error);
  return error;
}

int WindowFile::Append(const char *bytes, uptr size) {
  while (can_map_ && size) {
    if (!mapped_ || used_ == kSize) {
      // What the disk, or its kind of file system, has no such room for may still fit.
      if (Advance()) {
        Cut();
        can_map_ = false;
        internal_lseek(file_, begin_ + used_, SEEK_SET);
        break;
      }
    }
    const uptr part = Min(size, kSize - used_);
    internal_memcpy(window_ + used_, bytes, part);
    used_ += part;
    bytes += part;
    size -= part;
  }
  return size ? WriteOwnFile(file_, bytes, size) : 0;
}

void WindowFile::Cut() {
  if (!can_map_)
    return;
  internal_ftruncate(file_, begin_ + used_);
  mapped_ = false;
}

} // namespace __heddle
