//===-- heddle_same_start.cpp - A replay begins as its recording ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_same_start.h"

#include "heddle/demo/demo_environment.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_layout.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_flags.h"
#include "tsan_rtl.h"

#include <sys/personality.h>
#include <sys/resource.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

constexpr const char *kKeyArgument = "argument", *kKeyEnvironment = "environment",
                     *kKeyOptionsSize = "options-size", *kKeyStackLimit = "stack-limit";

constexpr char kOptions[] = "TSAN_OPTIONS=";
constexpr uptr kOptionsLength = sizeof(kOptions) - 1;
// The value's size is a multiple of that.
constexpr uptr kStep = 4096;
// What the system lets a variable have; a larger one could not be executed.
constexpr uptr kMostOptions = (128 << 10) - kStep;
constexpr char kHidden = 'x';
// The path of the program is on the stack, too. Slashes fill it up.
constexpr uptr kPathLength = 1024;

bool IsOptions(const char *variable) {
  return !internal_strncmp(variable, kOptions, kOptionsLength);
}

// The value of TSAN_OPTIONS, if it has been filled up.
const char *FilledOptions() {
  char **last = GetEnviron();
  if (!last || !*last)
    return nullptr;
  while (last[1])
    last++;
  const char *value = *last + kOptionsLength;
  return IsOptions(*last) && *value && internal_strlen(value) % kStep == 0 ? value : nullptr;
}

bool IsRandomised() {
  const int now = personality(0xffffffff);
  return now == -1 || !(now & ADDR_NO_RANDOMIZE);
}

class Texts {
public:
  void Add(char *text) { texts_.push_back(text); }
  // False if there is a zero in it, which would end it.
  bool Add(const MetaValue &value) {
    const uptr size = value.CopyTo(nullptr, 0) + 1;
    char *text = static_cast<char *>(InternalAlloc(size));
    value.CopyTo(text, size);
    Add(text);
    return internal_strlen(text) + 1 == size;
  }
  char *Last() { return texts_.back(); }
  bool Empty() const { return texts_.empty(); }
  // The end of the environment.
  void AddOptions(uptr size) {
    const char *value = GetEnv("TSAN_OPTIONS");
    const uptr length = value ? internal_strlen(value) : 0;
    if (length > size)
      size = RoundUpTo(length, kStep);
    char *text = static_cast<char *>(InternalAlloc(kOptionsLength + size + 1));
    internal_memset(text, ' ', kOptionsLength + size);
    internal_memcpy(text, kOptions, kOptionsLength);
    internal_memcpy(text + kOptionsLength, value, length);
    text[kOptionsLength + size] = '\0';
    Add(text);
  }
  char **Terminated() {
    Add(static_cast<char *>(nullptr));
    return texts_.data();
  }

private:
  InternalMmapVector<char *> texts_;
};

// Of this program, as long as that of any other.
const char *Path() {
  static char path[kPathLength + 1];
  char link[kPathLength + 1];
  const uptr length = internal_readlink("/proc/self/exe", link, kPathLength);
  if (internal_iserror(length) || length >= kPathLength || link[0] != '/')
    return "/proc/self/exe";
  internal_memset(path, '/', kPathLength - length);
  internal_memcpy(path + kPathLength - length, link, length);
  return path;
}

bool IsHere(const char *variable) {
  for (char **each = GetEnviron(); *each; each++)
    if (!internal_strcmp(*each, variable))
      return true;
  return false;
}

// The same variable here, if it is as long.
const char *FindAsLong(const char *variable) {
  const uptr name = NameLength(variable) + 1, length = internal_strlen(variable);
  for (char **each = GetEnviron(); *each; each++)
    if (!internal_strncmp(*each, variable, name) && internal_strlen(*each) == length)
      return *each;
  return nullptr;
}

bool IsHidden(const char *variable) {
  const char *value = variable + NameLength(variable);
  if (!*value || !value[1])
    return false;
  while (*++value == kHidden) {
  }
  return !*value;
}

// Hides the value of a variable, in place.
void Hide(char *variable) {
  char *value = variable + NameLength(variable);
  if (*value)
    internal_memset(value + 1, kHidden, internal_strlen(value + 1));
}

// What the demo has becomes what this run has, in place.
void AdaptVariable(char *variable) {
  if (IsHidden(variable)) {
    if (const char *here = FindAsLong(variable))
      internal_memcpy(variable, here, internal_strlen(here));
  }
  // A part of a demo gets what its parent gives it.
  const bool trusted = flags()->trust_demo && !flags()->demo_of;
  if (trusted || !DecidesWhatRuns(variable) || IsHere(variable))
    return;
  const uptr name = NameLength(variable);
  char text[64];
  uptr length = 0;
  for (; length < name && length < sizeof(text) - 1; length++)
    text[length] = variable[length] > ' ' && variable[length] <= '~' ? variable[length] : '?';
  text[length] = '\0';
  Printf("WARNING: ThreadSanitizer: play_demo: %s is another one in the demo than here, and is not "
         "set, since it may have something else run. If you trust the demo: trust_demo=1.\n",
         text);
  internal_memset(variable, '_', name);
}

void Restart(Texts &arguments, Texts &environment) {
  const int now = personality(0xffffffff);
  if (now != -1)
    personality(u32(now) | ADDR_NO_RANDOMIZE);
  const uptr result = internal_execve(Path(), arguments.Terminated(), environment.Terminated());
  int error = 0;
  internal_iserror(result, &error);
  Printf("WARNING: ThreadSanitizer: the program cannot be executed anew (errno %d), so that its "
         "addresses may not be the same in a replay.\n",
         error);
}

// The system may not allow it.
void CheckRandomised() {
  if (IsRandomised())
    Printf("WARNING: ThreadSanitizer: the system randomises addresses, and does not let the "
           "runtime change that (personality). A replay is right only if the program does not "
           "depend on addresses. deterministic_memory=0 says that it does not.\n");
}

} // namespace

void RestartToRecord() {
  if (FilledOptions())
    return;
  Texts arguments, environment;
  for (char **each = GetArgv(); *each; each++)
    arguments.Add(*each);
  for (char **each = GetEnviron(); *each; each++)
    if (!IsOptions(*each))
      environment.Add(*each);
  environment.AddOptions(kStep);
  Restart(arguments, environment);
}

void RestartBeforeAll() {
  const char *options = GetEnv("TSAN_OPTIONS");
  if (options && internal_strstr(options, "record_demo=") &&
      !internal_strstr(options, "play_demo=") && !internal_strstr(options, "deterministic_memory="))
    RestartToRecord();
}

void CheckRestarted() {
  if (LayoutIsFixed() && FilledOptions())
    CheckRandomised();
}

const char *RestartToPlay(const MetaReader &meta) {
  u64 size = 0, limit = 0;
  // Without, the recording was made with other addresses each time.
  if (!LayoutIsFixed() || !meta.Find(kKeyOptionsSize, size))
    return nullptr;
  // Of any other size, the program would be executed anew again and again.
  if (!size || size % kStep || size > kMostOptions)
    return "has a size of TSAN_OPTIONS that no recording has";
  if (const char *options = FilledOptions()) {
    if (internal_strlen(options) != size)
      Printf("WARNING: ThreadSanitizer: TSAN_OPTIONS is longer than in the recording. Addresses on "
             "the stack of the main thread are not the same.\n");
    CheckRandomised();
    return nullptr;
  }
  Texts arguments, environment;
  for (MetaReader::Line line; meta.Next(line);) {
    if (line.Is(kKeyArgument) && !arguments.Add(line.value))
      return "has an argument with a zero in it";
    if (!line.Is(kKeyEnvironment))
      continue;
    if (!environment.Add(line.value))
      return "has a variable with a zero in it";
    // They would come before this run's.
    if (IsOptions(environment.Last()))
      return "has TSAN_OPTIONS of its own";
    AdaptVariable(environment.Last());
  }
  if (arguments.Empty())
    return "names no program";
  environment.AddOptions(size);
  // The size of stacks, and where the system begins to map.
  rlimit stack;
  if (meta.Find(kKeyStackLimit, limit) && !getrlimit(RLIMIT_STACK, &stack)) {
    stack.rlim_cur = limit;
    if (setrlimit(RLIMIT_STACK, &stack))
      Printf("WARNING: ThreadSanitizer: the stack limit cannot be %llu bytes, as it was in the "
             "recording. Addresses may not be the same.\n",
             limit);
  }
  Restart(arguments, environment);
  return nullptr;
}

static void DescribeVariable(MetaWriter<RuntimeMemory> &meta, const char *variable) {
  if (flags()->record_secrets || !LooksSecret(variable))
    return meta.Add(kKeyEnvironment, variable);
  char *copy = internal_strdup(variable);
  Hide(copy);
  meta.Add(kKeyEnvironment, copy);
  InternalFree(copy);
}

void DescribeStart(MetaWriter<RuntimeMemory> &meta) {
  for (char **each = GetArgv(); each && *each; each++)
    meta.Add(kKeyArgument, *each);
  const char *options = FilledOptions();
  if (!LayoutIsFixed() || !options)
    return;
  for (char **each = GetEnviron(); *each; each++)
    if (!IsOptions(*each))
      DescribeVariable(meta, *each);
  meta.Add(kKeyOptionsSize, u64(internal_strlen(options)));
  rlimit stack;
  if (!getrlimit(RLIMIT_STACK, &stack))
    meta.Add(kKeyStackLimit, u64(stack.rlim_cur));
}

} // namespace __heddle
