//===-- heddle_timestamp_scan.cpp - Does a program read the counter? ------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole code is looked through at the start of each process with a schedule: sixteen places at
// a time, a third of a millisecond for three megabytes.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_timestamp_scan.h"

#include "heddle/rtl/heddle_modules.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <link.h>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

using namespace __sanitizer;

namespace __heddle {

#if defined(__x86_64__)

namespace {

constexpr u8 kJoinHalves[] = {0x48, 0xc1, 0xe2, 0x20}; // shl $32, %rdx
constexpr u8 kLoadFence[] = {0x0f, 0xae, 0xe8}, kFence[] = {0x0f, 0xae, 0xf0};
constexpr uptr kBehind = 24; // bytes in which the halves are joined

template <uptr kSize> bool IsAt(const u8 *place, const u8 (&bytes)[kSize]) {
  return !internal_memcmp(place, bytes, kSize);
}

// `at` has the first two bytes of one of them.
bool IsTimestamp(const u8 *at, const u8 *begin, const u8 *end) {
  if (at[1] == 0x01)
    return at + 2 < end && at[2] == 0xf9; // rdtscp
  if (at - begin >= 3 && (IsAt(at - 3, kLoadFence) || IsAt(at - 3, kFence)))
    return true;
  for (const u8 *place = at + 2; place < at + kBehind && place + sizeof(kJoinHalves) <= end;
       place++)
    if (IsAt(place, kJoinHalves))
      return true;
  return false;
}

int LookAt(dl_phdr_info *object, size_t, void *own) {
  if (IsOfSystem(object->dlpi_name))
    return 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) &part = object->dlpi_phdr[i];
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) && (part.p_flags & PF_R) &&
        ReadsTimestamps(reinterpret_cast<const void *>(object->dlpi_addr + part.p_vaddr),
                        part.p_filesz, own))
      return 1;
  }
  return 0;
}

} // namespace

bool ReadsTimestamps(const void *code, uptr size, const void *own) {
  const u8 *const begin = static_cast<const u8 *>(code), *const end = begin + size;
  const __m128i first = _mm_set1_epi8(0x0f), tsc = _mm_set1_epi8(0x31), tscp = _mm_set1_epi8(0x01);
  const auto load = [](const u8 *at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i *>(at));
  };
  const auto counts = [&](const u8 *at) { return at != own && IsTimestamp(at, begin, end); };
  const u8 *at = begin;
  for (; at + 17 <= end; at += 16) {
    const __m128i second = load(at + 1);
    const __m128i either = _mm_or_si128(_mm_cmpeq_epi8(second, tsc), _mm_cmpeq_epi8(second, tscp));
    u32 found = u32(_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(load(at), first), either)));
    for (; found; found &= found - 1)
      if (counts(at + __builtin_ctz(found)))
        return true;
  }
  for (; at + 2 <= end; at++)
    if (at[0] == 0x0f && (at[1] == 0x31 || at[1] == 0x01) && counts(at))
      return true;
  return false;
}

bool ProgramReadsTimestamps(const void *own) {
  return dl_iterate_phdr(LookAt, const_cast<void *>(own));
}

#else

bool ReadsTimestamps(const void *, uptr, const void *) { return false; }
bool ProgramReadsTimestamps(const void *) { return false; }

#endif

} // namespace __heddle
