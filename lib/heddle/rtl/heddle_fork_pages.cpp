//===-- heddle_fork_pages.cpp - What a fork copies, and what not ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fork copies the page tables of the memory that its process has written to, and the
// end of the child takes them down again. The runtime zeroes megabytes of its own memory
// that the system has handed out as zeroes: that is copied for nothing.
//
// (What it can read from a file, code above all, it does not copy, and each execution
// faults it in again. To have that copied, too, was tried: it takes longer.)
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_fork_pages.h"

#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "sanitizer_common/sanitizer_procmaps.h"

#include <sys/mman.h>
#include <sys/syscall.h>

using namespace __sanitizer;

namespace __heddle {
namespace {

// The shadow's are terabytes, and nobody writes zeroes there.
constexpr uptr kLargest = 1 << 30;

// Of memory that is nobody's but this process's, and of no file.
void GiveBack(uptr begin, uptr end) {
  constexpr uptr kPages = 4096;
  const uptr page = GetPageSizeCached();
  uptr zeroes = 0; // at the end of what has been looked at
  for (uptr part = begin; part < end; part += kPages * page) {
    const uptr pages = Min(kPages, (end - part) / page);
    u8 present[kPages];
    if (KernelCall(SYS_mincore, part, pages * page, present))
      return;
    for (uptr i = 0; i < pages; i++) {
      const uptr p = part + i * page;
      if ((present[i] & 1) && mem_is_zero(reinterpret_cast<const char *>(p), page)) {
        zeroes += page;
        continue;
      }
      if (zeroes)
        internal_madvise(p - zeroes, zeroes, MADV_DONTNEED);
      zeroes = 0;
    }
  }
  if (zeroes)
    internal_madvise(end - zeroes, zeroes, MADV_DONTNEED);
}

} // namespace

void GiveBackZeroes() {
  MemoryMappingLayout layout(/*cache_enabled=*/false);
  char name[8]; // enough to tell that there is one
  MemoryMappedSegment segment(name, sizeof(name));
  while (layout.Next(&segment))
    if (segment.IsWritable() && segment.IsReadable() && !segment.IsShared() && !name[0] &&
        segment.end - segment.start <= kLargest)
      GiveBack(segment.start, segment.end);
}

} // namespace __heddle
