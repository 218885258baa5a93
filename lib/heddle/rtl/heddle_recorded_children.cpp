//===-- heddle_recorded_children.cpp - Demos of children ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_recorded_children.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_demo_impl.h"
#include "heddle/rtl/heddle_input.h"
#include "heddle/rtl/heddle_interceptors.h"
#include "heddle/rtl/heddle_not_recorded.h"
#include "heddle/rtl/heddle_own_flags.h"
#include "heddle/rtl/heddle_pipes.h"
#include "heddle/rtl/heddle_process_order.h"
#include "heddle/rtl/heddle_timestamps.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "tsan_flags.h"
#include "tsan_rtl.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

void ForgetDemoOfOthers() {
  const int owner = flags()->demo_of;
  if (!owner)
    return;
  if (owner != int(internal_getpid()) && -owner != int(internal_getppid()))
    flags()->record_demo = flags()->play_demo = "";
}

//===-- Directories -------------------------------------------------------===//

namespace {

// Without its files. A longer one has no room for the demo of a child, which is not recorded then.
char demo_directory[kMostDemoPath];

using DemoPath = char[kMostDemoPath];

// False if it would be too long.
bool JoinPath(DemoPath &path, const char *directory, const char *name) {
  const uptr length = uptr(internal_snprintf(path, sizeof(path), "%s/%s", directory, name));
  return directory[0] && length < sizeof(path);
}

// Of the child that the thread has made last.
bool ChildsPath(DemoPath &path, const ControlledThread *thread) {
  char name[48];
  internal_snprintf(name, sizeof(name), "child-%u-%u", thread->id, thread->children);
  return JoinPath(path, demo_directory, name);
}

bool PathOfNext(DemoPath &path, const ControlledThread *thread, NextEnvironment::Kind kind) {
  return kind == NextEnvironment::Kind::kChild ? ChildsPath(path, thread)
                                               : JoinPath(path, demo_directory, "exec");
}

// A real one: a link could lead anywhere.
bool IsDirectory(const char *path) {
  struct stat status;
  return !KernelCall(SYS_newfstatat, AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW) &&
         S_ISDIR(status.st_mode);
}

bool HasDemo(const char *path) {
  DemoPath meta;
  struct stat status;
  return IsDirectory(path) && JoinPath(meta, path, NameOf(DemoStream::kMeta)) &&
         !KernelCall(SYS_newfstatat, AT_FDCWD, meta, &status, AT_SYMLINK_NOFOLLOW);
}

} // namespace

void SetDemoDirectory(const char *directory) {
  char current[kMostDemoPath];
  const bool absolute = directory[0] == '/';
  if (!absolute && KernelCall(SYS_getcwd, current, sizeof(current)) < 0)
    return;
  const uptr length =
      uptr(internal_snprintf(demo_directory, sizeof(demo_directory), "%s%s%s",
                             absolute ? "" : current, absolute ? "" : "/", directory));
  if (length >= sizeof(demo_directory))
    demo_directory[0] = '\0';
}

//===-- Forks -------------------------------------------------------------===//

// The directory may have the demo of another recording's child.
static void ForgetOldDemo(const char *path) {
  DemoPath meta;
  if (Recording() && JoinPath(meta, path, NameOf(DemoStream::kMeta)))
    internal_unlink(meta);
}

void ExpectChild(ControlledThread *thread) {
  thread->children++;
  DemoPath path;
  if (ChildsPath(path, thread))
    ForgetOldDemo(path);
}

void BeginChildsDemo(ControlledThread *thread) {
  OrderInChild();
  ForgetPipes();
  DemoPath path;
  const bool has_path = ChildsPath(path, thread);
  demo_directory[0] = '\0';
  if (has_path)
    SetDemoDirectory(path);
  thread->children = 0;
  if (Recording() && flags()->children == DemoChildren::kRecord && has_path && RecordChild(path))
    return;
  if (Playing() && has_path && HasDemo(path)) {
    PlayChild(demo_directory);
    return;
  }
  LeaveOrder();
  AbandonDemo();
}

bool HasChildsDemo(const ControlledThread *thread) {
  DemoPath path;
  return ChildsPath(path, thread) && HasDemo(path);
}

//===-- Programs that are executed ----------------------------------------===//

namespace {

constexpr const char *kKeyDescriptor = "descriptor";

// A program that hands on more has the others as they are.
constexpr int kMostInherited = 1024;

bool IsOpen(int fd) { return KernelCall(SYS_fcntl, fd, F_GETFD) >= 0; }

} // namespace

void DescribeInherited(MetaWriter<RuntimeMemory> &meta) {
  for (int fd = 3; flags()->demo_of && fd < kMostInherited; fd++)
    if (IsOpen(fd) && !IsOwnDescriptor(fd))
      meta.Add(kKeyDescriptor, u64(fd));
}

void CreateInherited(const MetaReader &meta) {
  MetaReader lines = meta;
  for (MetaReader::Line line; lines.Next(line);) {
    char text[16];
    if (!line.Is(kKeyDescriptor) || line.value.CopyTo(text, sizeof(text)) >= sizeof(text))
      continue;
    const s64 fd = internal_simple_strtoll(text, nullptr, 10);
    if (fd > 2 && fd < kMostInherited && !IsOpen(int(fd)))
      CreatePlaceholder(int(fd));
  }
}

namespace {

constexpr char kOptions[] = "TSAN_OPTIONS=";
constexpr uptr kOptionsLength = sizeof(kOptions) - 1;

// What all programs with this runtime export, and no other (utils/heddle/hunt/elf.cpp).
constexpr char kMark[] = "__heddle_explore";

bool Contains(const char *bytes, uptr size, const char *text, uptr length) {
  for (uptr i = 0; i + length <= size; i++)
    if (bytes[i] == text[0] && !internal_memcmp(bytes + i, text, length))
      return true;
  return false;
}

bool HasRuntime(const char *path) {
  struct stat status;
  if (KernelCall(SYS_newfstatat, AT_FDCWD, path, &status, 0) || !S_ISREG(status.st_mode))
    return false;
  uptr size = 0;
  void *bytes = MapFileToMemory(path, &size);
  if (!bytes)
    return false;
  const bool found = Contains(static_cast<const char *>(bytes), size, kMark, sizeof(kMark) - 1);
  UnmapOrDie(bytes, RoundUpTo(size, GetPageSizeCached()));
  return found;
}

// As execvp finds it. False if there is no such program.
bool FindProgram(DemoPath &path, const char *program) {
  if (internal_strchr(program, '/')) {
    internal_strlcpy(path, program, sizeof(path));
    return FileExists(path);
  }
  const char *directories = nullptr; // as it is now, and not as the program was started with it
  for (char **each = environ; *each && !directories; each++)
    directories = internal_strncmp(*each, "PATH=", 5) ? nullptr : *each + 5;
  while (directories && *directories) {
    const char *end = internal_strchrnul(directories, ':');
    internal_snprintf(path, sizeof(path), "%.*s/%s", int(end - directories), directories, program);
    if (FileExists(path))
      return true;
    directories = *end ? end + 1 : end;
  }
  return false;
}

uptr CountOf(char *const *list) {
  uptr count = 0;
  while (list && list[count])
    count++;
  return count;
}

// Without what fills it up, by which the program would take itself for one that has been executed
// anew (heddle_same_start.h).
uptr LengthWithoutEnd(const char *value) {
  uptr length = internal_strlen(value);
  while (length && value[length - 1] == ' ')
    length--;
  return length;
}

} // namespace

NextEnvironment::NextEnvironment(const ControlledThread *thread, Kind kind, const char *program,
                                 char *const *environment)
    : given_(environment) {
  DemoPath path;
  if (!thread || demo_mode == DemoMode::kOff || !PathOfNext(path, thread, kind))
    return;
  if (Recording()) {
    ForgetOldDemo(path);
    if (flags()->children == DemoChildren::kFree)
      return;
    DemoPath found;
    if (FindProgram(found, program) && !HasRuntime(found)) {
      ProgramNotRecorded(program);
      return;
    }
  } else if (!HasDemo(path)) {
    return;
  }
  const uptr count = CountOf(environment);
  made_ = static_cast<char **>(InternalAlloc((count + 2) * sizeof(char *)));
  const char *value = "";
  uptr kept = 0;
  for (uptr i = 0; i < count; i++) {
    if (internal_strncmp(environment[i], kOptions, kOptionsLength))
      made_[kept++] = environment[i];
    else
      value = environment[i] + kOptionsLength;
  }
  const uptr length = LengthWithoutEnd(value), own = internal_strlen(ScheduleOfRecording()),
             room = kOptionsLength + length + own + kMostDemoPath + 64;
  options_ = static_cast<char *>(InternalAlloc(room));
  const int self = int(internal_getpid());
  internal_snprintf(options_, room, "%s%.*s %s %s=\"%s\" demo_of=%d", kOptions, int(length), value,
                    Recording() ? ScheduleOfRecording() : "",
                    Recording() ? "record_demo" : "play_demo", path,
                    kind == Kind::kChild ? -self : self);
  made_[kept++] = options_;
  made_[kept] = nullptr;
}

NextEnvironment::~NextEnvironment() {
  InternalFree(made_);
  InternalFree(options_);
}

} // namespace __heddle
