//===-- demo_environment.cpp - Variables that need care -------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "heddle/demo/demo_environment.h"

namespace __heddle {
namespace {

// A star stands for anything, at the beginning or the end.
constexpr const char *kDecideWhatRuns[] = {
    // The dynamic linker and libc.
    "LD_*", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "MALLOC_*",
    // What is looked up, and by whom it is read.
    "PATH", "SHELL", "IFS", "ENV", "BASH_ENV", "BASH_FUNC_*", "PYTHON*", "PERL*", "RUBY*", "NODE_*",
    "JAVA_*", "_JAVA_*", "GIT_*", "PAGER", "EDITOR", "VISUAL", "BROWSER",
    // Sanitizers: logs that they write, symbolizers that they run.
    "*_OPTIONS", "*_SYMBOLIZER_PATH", "LLVM_PROFILE_FILE", "GCOV_*"};

// Anywhere in a name, in any case.
constexpr const char *kSecretWords[] = {"TOKEN",      "SECRET",     "PASSWORD", "PASSWD",
                                        "PASSPHRASE", "CREDENTIAL", "PRIVATE",  "APIKEY",
                                        "API_KEY",    "ACCESS_KEY", "COOKIE",   "SESSION_KEY"};
constexpr const char *kSecretEnds[] = {"_KEY", "_PAT", "_AUTH", "_PASS", "_PWD"};

uptr Length(const char *text) {
  uptr length = 0;
  while (text[length])
    length++;
  return length;
}

char Upper(char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; }

bool IsAt(const char *name, const char *word, uptr length) {
  for (uptr i = 0; i < length; i++)
    if (Upper(name[i]) != word[i])
      return false;
  return true;
}

bool EndsWith(const char *name, uptr length, const char *word) {
  const uptr size = Length(word);
  return size <= length && IsAt(name + length - size, word, size);
}

bool Matches(const char *name, uptr length, const char *pattern) {
  const uptr size = Length(pattern);
  if (pattern[0] == '*')
    return EndsWith(name, length, pattern + 1);
  if (pattern[size - 1] == '*')
    return size - 1 <= length && IsAt(name, pattern, size - 1);
  return size == length && IsAt(name, pattern, size);
}

bool Contains(const char *name, uptr length, const char *word) {
  const uptr size = Length(word);
  for (uptr i = 0; i + size <= length; i++)
    if (IsAt(name + i, word, size))
      return true;
  return false;
}

// As in https://user:password@host/.
bool HasPassword(const char *value) {
  for (; *value; value++) {
    if (value[0] != ':' || value[1] != '/' || value[2] != '/')
      continue;
    bool colon = false;
    for (value += 3; *value && *value != '/' && *value != ' '; value++) {
      colon |= *value == ':';
      if (*value == '@' && colon)
        return true;
    }
    if (!*value)
      return false;
  }
  return false;
}

} // namespace

uptr NameLength(const char *variable) {
  uptr length = 0;
  while (variable[length] && variable[length] != '=')
    length++;
  return length;
}

bool DecidesWhatRuns(const char *variable) {
  const uptr length = NameLength(variable);
  for (const char *pattern : kDecideWhatRuns)
    if (Matches(variable, length, pattern))
      return true;
  return false;
}

bool LooksSecret(const char *variable) {
  const uptr length = NameLength(variable);
  for (const char *word : kSecretWords)
    if (Contains(variable, length, word))
      return true;
  for (const char *word : kSecretEnds)
    if (EndsWith(variable, length, word))
      return true;
  return variable[length] && HasPassword(variable + length + 1);
}

} // namespace __heddle
