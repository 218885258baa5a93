//===-- heddle_same_start.cpp - A replay begins as its recording ----------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_same_start.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_layout.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#include <sys/personality.h>
#include <sys/resource.h>

using namespace __sanitizer;

namespace __heddle {
namespace {

constexpr const char *kKeyArgument = "argument", *kKeyEnvironment = "environment",
                     *kKeyOptionsSize = "options-size", *kKeyStackLimit = "stack-limit";

constexpr char kOptions[] = "TSAN_OPTIONS=";
constexpr uptr kOptionsLength = sizeof(kOptions) - 1;
// The value's size is a multiple of that.
constexpr uptr kStep = 4096;
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
  void Add(const MetaValue &value) {
    const uptr size = value.CopyTo(nullptr, 0) + 1;
    char *text = static_cast<char *>(InternalAlloc(size));
    value.CopyTo(text, size);
    Add(text);
  }
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

void RestartToPlay(const MetaReader &meta) {
  u64 size = 0, limit = 0;
  // Without, the recording was made with other addresses each time.
  if (!LayoutIsFixed() || !meta.Find(kKeyOptionsSize, size))
    return;
  if (const char *options = FilledOptions()) {
    if (internal_strlen(options) != size)
      Printf("WARNING: ThreadSanitizer: TSAN_OPTIONS is longer than in the recording. Addresses on "
             "the stack of the main thread are not the same.\n");
    return CheckRandomised();
  }
  Texts arguments, environment;
  for (MetaReader::Line line; meta.Next(line);) {
    if (line.Is(kKeyArgument))
      arguments.Add(line.value);
    if (line.Is(kKeyEnvironment))
      environment.Add(line.value);
  }
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
}

void DescribeStart(MetaWriter<RuntimeMemory> &meta) {
  for (char **each = GetArgv(); each && *each; each++)
    meta.Add(kKeyArgument, *each);
  const char *options = FilledOptions();
  if (!LayoutIsFixed() || !options)
    return;
  for (char **each = GetEnviron(); *each; each++)
    if (!IsOptions(*each))
      meta.Add(kKeyEnvironment, *each);
  meta.Add(kKeyOptionsSize, u64(internal_strlen(options)));
  rlimit stack;
  if (!getrlimit(RLIMIT_STACK, &stack))
    meta.Add(kKeyStackLimit, u64(stack.rlim_cur));
}

} // namespace __heddle
