//===-- heddle_program.cpp - Which program this is ------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_program.h"

#include "heddle/demo/demo_codec.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <elf.h>
#include <link.h>

using namespace __sanitizer;

// The program's, since the runtime is a part of it.
extern "C" __attribute__((weak, visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;

namespace __heddle {
namespace {

// The content of the note, or nothing.
const u8 *FindNote(const char *notes, uptr size, uptr *length) {
  const char *end = notes + size;
  while (notes + sizeof(ElfW(Nhdr)) <= end) {
    const auto *note = reinterpret_cast<const ElfW(Nhdr) *>(notes);
    const char *name = notes + sizeof(*note);
    const char *content = name + RoundUpTo(note->n_namesz, 4);
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
        !internal_memcmp(name, "GNU", 4)) {
      *length = note->n_descsz;
      return reinterpret_cast<const u8 *>(content);
    }
    notes = content + RoundUpTo(note->n_descsz, 4);
  }
  return nullptr;
}

const u8 *LinkersBuildId(uptr *length) {
  if (!&__ehdr_start)
    return nullptr;
  const char *base = reinterpret_cast<const char *>(&__ehdr_start);
  const auto *headers = reinterpret_cast<const ElfW(Phdr) *>(base + __ehdr_start.e_phoff);
  uptr first = ~uptr(0); // where the linker wanted the file to begin
  for (u32 i = 0; i < __ehdr_start.e_phnum; i++)
    if (headers[i].p_type == PT_LOAD)
      first = Min<uptr>(first, headers[i].p_vaddr);
  for (u32 i = 0; i < __ehdr_start.e_phnum; i++) {
    if (headers[i].p_type != PT_NOTE)
      continue;
    if (const u8 *id = FindNote(base + (headers[i].p_vaddr - first), headers[i].p_memsz, length))
      return id;
  }
  return nullptr;
}

} // namespace

void GetBuildId(char (&text)[kBuildIdSize]) {
  uptr length = 0;
  text[0] = '\0';
  if (const u8 *id = LinkersBuildId(&length)) {
    for (uptr i = 0; i < length && 2 * i + 3 < sizeof(text); i++)
      internal_snprintf(text + 2 * i, 3, "%02x", id[i]);
    return;
  }
  char *file = nullptr;
  uptr mapped = 0, size = 0;
  if (!ReadFileToBuffer("/proc/self/exe", &file, &mapped, &size, uptr(1) << 32))
    return;
  internal_snprintf(text, sizeof(text), "crc32-%08x-%zu",
                    Checksum(0, reinterpret_cast<const u8 *>(file), size), size);
  UnmapOrDie(file, mapped);
}

} // namespace __heddle
