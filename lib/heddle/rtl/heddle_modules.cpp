//===-- heddle_modules.cpp - What the program is made of ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module that is instrumented calls __tsan_init when it is loaded, so that name is among its
// dynamic symbols. The program itself has the runtime, and counts as instrumented: what else has
// been linked into it cannot be told apart.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_modules.h"

#include "interception/interception.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __sanitizer;

DECLARE_REAL(int, dl_iterate_phdr, int (*visit)(dl_phdr_info *, __sanitizer::usize, void *),
             void *argument)

namespace __heddle {
namespace {

constexpr const char *kSystemLibraries[] = {
    "ld-linux",    "linux-vdso",    "libc.so",  "libm.so",  "libstdc++.so",
    "libgcc_s.so", "libpthread.so", "libdl.so", "librt.so", "libresolv.so"};

bool IsInstrumented(const dl_phdr_info &module) {
  constexpr char kName[] = "__tsan_init";
  const char *names = nullptr;
  uptr size = 0;
  for (int i = 0; i < module.dlpi_phnum; i++) {
    if (module.dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    const auto *entry =
        reinterpret_cast<const ElfW(Dyn) *>(module.dlpi_addr + module.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      if (entry->d_tag == DT_STRTAB)
        names = reinterpret_cast<const char *>(entry->d_un.d_ptr);
      else if (entry->d_tag == DT_STRSZ)
        size = entry->d_un.d_val;
    }
  }
  for (uptr at = 0; names && at + sizeof(kName) <= size; at++)
    if (names[at] == '_' && !internal_memcmp(names + at, kName, sizeof(kName)))
      return true;
  return false;
}

bool IsCode(const ElfW(Phdr) & part) { return part.p_type == PT_LOAD && (part.p_flags & PF_X); }

} // namespace

bool IsOfSystem(const char *path) {
  const char *slash = internal_strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  for (const char *library : kSystemLibraries)
    if (!internal_strncmp(name, library, internal_strlen(library)))
      return true;
  return false;
}

// Not by way of the interceptor: whoever asks may be waiting for its turn.
bool AnyModule(int (*visit)(dl_phdr_info *, usize, void *), void *argument) {
  return REAL(dl_iterate_phdr)(visit, argument);
}

bool HasCode(const dl_phdr_info &module, uptr pc) {
  for (int i = 0; i < module.dlpi_phnum; i++)
    if (IsCode(module.dlpi_phdr[i]) &&
        pc - (module.dlpi_addr + module.dlpi_phdr[i].p_vaddr) < module.dlpi_phdr[i].p_memsz)
      return true;
  return false;
}

// The name of the program is empty.
bool IsUnseen(const dl_phdr_info &module) {
  return module.dlpi_name && *module.dlpi_name && !IsOfSystem(module.dlpi_name) &&
         !IsInstrumented(module);
}

bool SomeCodeIsUnseen() {
  return AnyModule([](const dl_phdr_info &module) { return IsUnseen(module); });
}

bool IsUnseenCode(uptr pc) {
  return AnyModule(
      [pc](const dl_phdr_info &module) { return HasCode(module, pc) && IsUnseen(module); });
}

} // namespace __heddle
