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
// Each function is here, since libc's do not call each other by their names. A recording goes on in
// the program: see heddle_recorded_children.h.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_recorded_children.h"
#include "heddle/rtl/heddle_timestamps.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

// `execute` is called with the environment that the program is to have.
template <class Execute>
int InPlace(const char *program, char *const *environment, Execute execute) {
  TimestampsForOthers others;
  if (LIKELY(!schedule_controlled))
    return execute(environment);
  ThreadState *thr = cur_thread();
  BeforeExec(thr);
  const NextEnvironment next(thr->heddle.Controlled(), NextEnvironment::Kind::kInPlace, program,
                             environment);
  const int result = execute(next.Get());
  const int error = errno;
  AfterExec(thr);
  errno = error;
  return result;
}

// A program that a descriptor leads to has a name all the same.
class NameOfFile {
public:
  explicit NameOfFile(int fd) { internal_snprintf(text_, sizeof(text_), "/proc/self/fd/%d", fd); }
  operator const char *() const { return text_; }

private:
  char text_[32];
};

} // namespace

// Those that take no environment hand on this process's, which is to be changed.
#define EXECUTE(name, parameters, program, environment, arguments)                                 \
  HEDDLE_NEW_INTERCEPTOR(int, name, parameters, arguments) {                                       \
    return InPlace(program, environment,                                                           \
                   [&](char *const *environment) { return __interceptor_##name arguments; });      \
  }

// clang-format off
EXECUTE(execve, (const char *path, char *const *words, char *const *environment), path, environment, (path, words, environment))
EXECUTE(execvpe, (const char *file, char *const *words, char *const *environment), file, environment, (file, words, environment))
EXECUTE(fexecve, (int fd, char *const *words, char *const *environment), NameOfFile(fd), environment, (fd, words, environment))
EXECUTE(execveat, (int directory, const char *path, char *const *words, char *const *environment, int flags), *path ? path : static_cast<const char *>(NameOfFile(directory)), environment, (directory, path, words, environment, flags))
// clang-format on

HEDDLE_WEAK_FUNCTION(int, execv, (const char *path, char *const *words)) {
  return heddle_execve(path, words, environ);
}
HEDDLE_WEAK_FUNCTION(int, execvp, (const char *file, char *const *words)) {
  return heddle_execvpe(file, words, environ);
}

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
  return heddle_execve(path, words, environ);
}

HEDDLE_WEAK_FUNCTION(int, execlp, (const char *file, const char *first, ...)) {
  COLLECT_WORDS(first);
  va_end(list);
  return heddle_execvpe(file, words, environ);
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
    if (LIKELY(!schedule_controlled))                                                              \
      return __interceptor_##name(process, path, actions, attributes, words, environment);         \
    StartsOther();                                                                                 \
    ControlledThread *thread = cur_thread()->heddle.Controlled();                                  \
    if (thread)                                                                                    \
      ExpectChild(thread);                                                                         \
    const NextEnvironment next(thread, NextEnvironment::Kind::kChild, path, environment);          \
    return __interceptor_##name(process, path, actions, attributes, words, next.Get());            \
  }
SPAWN(posix_spawn)
SPAWN(posix_spawnp)
