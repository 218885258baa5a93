//===-- heddle_own_flags.cpp - Flags for this process alone --------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_own_flags.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __sanitizer;

namespace __heddle {

void HideFromOthers(const char *flag) {
  constexpr char kOptions[] = "TSAN_OPTIONS=";
  char **variable = GetEnviron();
  while (*variable && internal_strncmp(*variable, kOptions, sizeof(kOptions) - 1))
    variable++;
  char *at = *variable ? const_cast<char *>(internal_strstr(*variable, flag)) : nullptr;
  if (!at)
    return;
  const auto separates = [](char c) {
    return c == ' ' || c == ',' || c == ':' || c == '\n' || c == '\t' || c == '\r';
  };
  const uptr name = internal_strlen(flag);
  const char quote = at[name] == '"' || at[name] == '\'' ? at[name] : 0;
  char *end = at + name + (quote ? 1 : 0);
  while (*end && (quote ? *end != quote : !separates(*end)))
    end++;
  internal_memset(at, ' ', end + (quote && *end ? 1 : 0) - at);
}

} // namespace __heddle
