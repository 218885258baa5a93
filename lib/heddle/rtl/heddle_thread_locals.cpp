//===-- heddle_thread_locals.cpp - Thread-local variables, made anew ------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each library has an image of its thread-local variables, which the system's loader
// copies for every thread; what the image does not reach is zero. The same is done here
// to a thread that has run.
//
// The runtime is a part of the program and has variables of its own among those: the
// ThreadState, and what upstream knows of blocks that the loader has allocated.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_thread_locals.h"

#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_tls_get_addr.h"
#include "tsan_rtl.h"

#include <link.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

struct Range {
  char *begin, *end;
};

bool IsSystems(const char *name) {
  static const char *const kNames[] = {"/ld-linux", "/libc.so",    "/libc-",    "/libstdc++",
                                       "/libc++",   "/libpthread", "/libgcc_s", "/libunwind"};
  for (const char *systems : kNames)
    if (internal_strstr(name, systems))
      return true;
  return false;
}

// Writes [begin, end) of a block as it is in the image.
void Fill(const Range &block, const char *image, uptr image_size, char *begin, char *end) {
  if (begin >= end)
    return;
  char *image_end = block.begin + image_size;
  char *split = begin > image_end ? begin : end < image_end ? end : image_end;
  internal_memcpy(begin, image + (begin - block.begin), uptr(split - begin));
  internal_memset(split, 0, uptr(end - split));
}

int ResetLibrary(dl_phdr_info *info, size_t, void *) {
  auto *begin = static_cast<char *>(info->dlpi_tls_data);
  if (!begin || IsSystems(info->dlpi_name))
    return 0;
  for (u32 i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type != PT_TLS)
      continue;
    const Range block = {begin, begin + header.p_memsz};
    const auto *image = reinterpret_cast<const char *>(info->dlpi_addr + header.p_vaddr);
    auto *state = reinterpret_cast<char *>(cur_thread_placeholder);
    auto *dtls = reinterpret_cast<char *>(DTLS_Get());
    Range kept[] = {{state, state + sizeof(ThreadState)}, {dtls, dtls + sizeof(DTLS)}};
    if (kept[1].begin < kept[0].begin) {
      const Range first = kept[1];
      kept[1] = kept[0];
      kept[0] = first;
    }
    char *at = block.begin;
    for (const Range &range : kept) {
      if (range.begin < block.begin || range.begin >= block.end)
        continue;
      Fill(block, image, header.p_filesz, at, range.begin);
      at = range.end;
    }
    Fill(block, image, header.p_filesz, at, block.end);
  }
  return 0;
}

} // namespace

void ResetThreadLocals() {
  ScopedIgnoreInterceptors ignore;
  dl_iterate_phdr(ResetLibrary, nullptr);
}

} // namespace __heddle
