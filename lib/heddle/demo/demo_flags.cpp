//===-- demo_flags.cpp - The flags that a demo may set --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "heddle/demo/demo_flags.h"

namespace __heddle {
namespace {

constexpr const char *kFlags[] = {
#define HEDDLE_FLAG_NAME(flag) #flag,
    HEDDLE_DEMO_FLAGS(HEDDLE_FLAG_NAME)
#undef HEDDLE_FLAG_NAME
};

bool IsValueByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '+' || c == '-';
}

} // namespace

bool IsDemoFlag(const char *name, uptr length) {
  for (const char *flag : kFlags) {
    uptr i = 0;
    while (i < length && flag[i] && flag[i] == name[i])
      i++;
    if (i == length && !flag[i])
      return true;
  }
  return false;
}

const char *FindForeignFlag(const char *flags) {
  while (*flags) {
    const char *word = flags;
    uptr name = 0;
    while (word[name] && word[name] != '=' && word[name] != ' ')
      name++;
    if (word[name] != '=' || !IsDemoFlag(word, name))
      return word;
    flags = word + name + 1;
    while (IsValueByte(*flags))
      flags++;
    if (*flags && *flags != ' ')
      return word;
    if (*flags)
      flags++;
  }
  return nullptr;
}

} // namespace __heddle
