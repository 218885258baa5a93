//===-- heddle_name_services.cpp - Libraries that look names up -----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_name_services.h"

#include "heddle/rtl/heddle_descriptors.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <dlfcn.h>

using namespace __sanitizer;

DECLARE_REAL(void *, dlopen, const char *name, int flags)

namespace __heddle {
namespace {

constexpr const char *kDatabases[] = {"hosts:", "services:", "networks:", "protocols:"};
// Parts of libc itself.
constexpr const char *kBuiltIn[] = {"files", "dns"};

bool IsOneOf(const char *word, const char *const *begin, const char *const *end) {
  while (begin != end && internal_strcmp(word, *begin))
    begin++;
  return begin != end;
}

bool IsSpace(char c) { return c == ' ' || c == '\t'; }

// The next word of the line, which ends with null then; null at the end. What stands in brackets
// is about results, and no service.
char *NextWord(char **line) {
  char *at = *line;
  while (IsSpace(*at) || *at == '[') {
    if (*at == '[')
      while (*at && *at != ']')
        at++;
    if (*at)
      at++;
  }
  if (!*at || *at == '#')
    return nullptr;
  char *word = at;
  while (*at && !IsSpace(*at) && *at != '#' && *at != '[')
    at++;
  *line = *at ? at + 1 : at;
  *at = 0;
  return word;
}

void LoadServices(char *line) {
  char *word = NextWord(&line);
  if (!word || !IsOneOf(word, kDatabases, kDatabases + ARRAY_SIZE(kDatabases)))
    return;
  while ((word = NextWord(&line))) {
    if (IsOneOf(word, kBuiltIn, kBuiltIn + ARRAY_SIZE(kBuiltIn)))
      continue;
    char name[128];
    internal_snprintf(name, sizeof(name), "libnss_%s.so.2", word);
    REAL(dlopen)(name, RTLD_NOW);
  }
}

} // namespace

void LoadNameServices() {
  static atomic_uint8_t loaded;
  if (atomic_exchange(&loaded, 1, memory_order_relaxed))
    return;
  DescriptorLock lock;
  char *text = nullptr;
  uptr mapped = 0, size = 0;
  if (!ReadFileToBuffer("/etc/nsswitch.conf", &text, &mapped, &size, 1 << 16))
    return;
  for (uptr at = 0; at < size;) {
    char *line = text + at;
    while (at < size && text[at] != '\n')
      at++;
    if (at < size)
      text[at++] = 0;
    LoadServices(line);
  }
  UnmapOrDie(text, mapped);
}

} // namespace __heddle
