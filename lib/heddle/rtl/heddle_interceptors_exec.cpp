//===-- heddle_interceptors_exec.cpp - Other programs are started ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the kernel would hand on to a program that is executed, and what would kill it there, is
// taken back first, and set again if there is no such program: that reads of the time stamp counter
// are faults. A child of a fork has it no more; but a program may execute another in its own place.
//
// Each function is here, since libc's do not call each other by their names.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_timestamps.h"

#include <stdarg.h>

using namespace __heddle;

#define EXECUTE(name, parameters, arguments)                                                       \
  HEDDLE_NEW_INTERCEPTOR(int, name, parameters, arguments) {                                       \
    TimestampsForOthers others;                                                                    \
    if (UNLIKELY(schedule_controlled))                                                             \
      BeforeExec(__tsan::cur_thread());                                                            \
    return __interceptor_##name arguments;                                                         \
  }

// clang-format off
EXECUTE(execve, (const char *path, char *const *words, char *const *environment), (path, words, environment))
EXECUTE(execv, (const char *path, char *const *words), (path, words))
EXECUTE(execvp, (const char *file, char *const *words), (file, words))
EXECUTE(execvpe, (const char *file, char *const *words, char *const *environment), (file, words, environment))
EXECUTE(fexecve, (int fd, char *const *words, char *const *environment), (fd, words, environment))
EXECUTE(execveat, (int directory, const char *path, char *const *words, char *const *environment, int flags), (directory, path, words, environment, flags))
// clang-format on

//===-- Words as arguments ------------------------------------------------===//

// Puts the words into an array `words`, and leaves `list` behind the null that ends them.
#define COLLECT_WORDS(first)                                                                       \
  va_list counted, list;                                                                           \
  va_start(counted, first);                                                                        \
  uptr count = 1;                                                                                  \
  while (va_arg(counted, char *))                                                                  \
    count++;                                                                                       \
  va_end(counted);                                                                                 \
  char **words = static_cast<char **>(__builtin_alloca((count + 1) * sizeof(char *)));             \
  words[0] = const_cast<char *>(first);                                                            \
  va_start(list, first);                                                                           \
  for (uptr i = 1; i <= count; i++)                                                                \
    words[i] = va_arg(list, char *);

HEDDLE_WEAK_FUNCTION(int, execl, (const char *path, const char *first, ...)) {
  COLLECT_WORDS(first);
  va_end(list);
  return heddle_execv(path, words);
}

HEDDLE_WEAK_FUNCTION(int, execlp, (const char *file, const char *first, ...)) {
  COLLECT_WORDS(first);
  va_end(list);
  return heddle_execvp(file, words);
}

HEDDLE_WEAK_FUNCTION(int, execle, (const char *path, const char *first, ...)) {
  COLLECT_WORDS(first);
  char **environment = va_arg(list, char **);
  va_end(list);
  return heddle_execve(path, words, environment);
}

//===-- Beside this one ---------------------------------------------------===//

#define SPAWN(name)                                                                                \
  HEDDLE_INTERCEPTOR(int, name, int *process, const char *path, const void *actions,               \
                     const void *attributes, char *const *words, char *const *environment) {       \
    TimestampsForOthers others;                                                                    \
    StartsOther();                                                                                 \
    return __interceptor_##name(process, path, actions, attributes, words, environment);           \
  }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)
