//===-- heddle_shared_memory.cpp - What objects are called in a group -----===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is mapped has its number in the group's memory; where it is mapped, each process has in its
// own. A fork takes both along.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_shared_memory.h"

#include "heddle/rtl/heddle_control_impl.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_placement_new.h"

using namespace __sanitizer;

namespace __heddle {
namespace {

constexpr uptr kBits = 48, kAddressMask = (uptr(1) << kBits) - 1;
constexpr uptr kShared = uptr(1) << 15;
constexpr uptr kSmall = 1 << 16; // no address is below

// Something that is mapped.
struct Mapped {
  u64 device, inode;
  bool has_name; // other programs may map it
  bool is_segment;
  bool is_ours; // the runtime has mapped it
};

struct Names {
  StaticSpinMutex mutex;
  Growable<Mapped, ScheduleMemory> mapped;

  u32 NumberOf(const Mapped &wanted) {
    SpinMutexLock lock(&mutex);
    for (u32 i = 0; i < mapped.Size(); i++)
      if (mapped[i].device == wanted.device && mapped[i].inode == wanted.inode &&
          mapped[i].is_segment == wanted.is_segment)
        return i;
    mapped.Push(wanted);
    return u32(mapped.Size() - 1);
  }
};
Names *names; // of the group

// Where it is in this process.
struct Range {
  uptr begin, end, offset;
  u32 number;
};
// In private memory of the process, which a fork copies. There from StartNames on.
Growable<Range, RuntimeMemory> *ranges;
StaticSpinMutex ranges_mutex;

u64 Number(const char *&at, int base) {
  u64 number = 0;
  for (;; at++) {
    const int digit = *at >= '0' && *at <= '9'   ? *at - '0'
                      : *at >= 'a' && *at <= 'f' ? *at - 'a' + 10
                                                 : base;
    if (digit >= base)
      return number;
    number = number * base + digit;
  }
}

bool BeginsWith(const char *text, const char *with) {
  return !internal_strncmp(text, with, internal_strlen(with));
}

// A line of /proc/self/maps: "begin-end rwxs offset major:minor inode   path". Returns whether it
// is shared.
bool ParseLine(const char *at, Range &range, Mapped &mapped) {
  range.begin = Number(at, 16);
  range.end = Number(++at, 16);
  if (internal_strlen(at) < 5 || at[4] != 's')
    return false;
  at += 6;
  range.offset = Number(at, 16);
  mapped.device = Number(++at, 16) << 32;
  mapped.device |= Number(++at, 16);
  mapped.inode = Number(++at, 10);
  while (*at == ' ')
    at++;
  mapped.is_segment = BeginsWith(at, "/SYSV");
  mapped.is_ours = BeginsWith(at, "/memfd:heddle");
  // A private segment of System V has the key 0.
  mapped.has_name = !BeginsWith(at, "/dev/zero (deleted)") && !BeginsWith(at, "/SYSV00000000 ");
  return true;
}

// Calls each(range, mapped) for what is shared. False if the list cannot be read.
template <class Each> bool ForEachShared(Each each) {
  char *text = nullptr;
  uptr mapped_size = 0, size = 0;
  int locked = LockDescriptors();
  const bool read = ReadFileToBuffer("/proc/self/maps", &text, &mapped_size, &size);
  UnlockDescriptors(&locked);
  if (!read)
    return false;
  for (char *line = text; line && line < text + size;) {
    char *end = internal_strchr(line, '\n');
    if (end)
      *end = '\0';
    Range range;
    Mapped mapped;
    if (ParseLine(line, range, mapped))
      each(range, mapped);
    line = end ? end + 1 : nullptr;
  }
  UnmapOrDie(text, mapped_size);
  return true;
}

const Range *Find(uptr address) {
  for (uptr i = 0; i < ranges->Size(); i++)
    if ((*ranges)[i].begin <= address && address < (*ranges)[i].end)
      return &(*ranges)[i];
  return nullptr;
}

void Remove(uptr i) {
  (*ranges)[i] = ranges->Back();
  ranges->Pop();
}

void CutOut(uptr begin, uptr end) {
  for (uptr i = ranges->Size(); i-- > 0;) {
    const Range range = (*ranges)[i];
    if (range.begin >= end || range.end <= begin)
      continue;
    Remove(i);
    if (range.begin < begin)
      ranges->Push({range.begin, begin, range.offset, range.number});
    if (range.end > end)
      ranges->Push({end, range.end, range.offset + (end - range.begin), range.number});
  }
}

void Learn(uptr begin, uptr end) {
  ForEachShared([&](Range range, const Mapped &mapped) {
    if (range.begin >= end || range.end <= begin)
      return;
    range.number = names->NumberOf(mapped);
    CutOut(range.begin, range.end);
    ranges->Push(range);
  });
}

} // namespace

uptr NameOfObjectImpl(uptr object) {
  if (object < kSmall || object > kAddressMask)
    return object;
  SpinMutexLock lock(&ranges_mutex);
  if (const Range *range = Find(object))
    return (kShared + range->number) << kBits | (range->offset + (object - range->begin));
  return uptr(1 + this_member) << kBits | object;
}

void KnowSharedObject(const volatile void *object) {
  const uptr address = reinterpret_cast<uptr>(object);
  SpinMutexLock lock(&ranges_mutex);
  if (!Find(address))
    Learn(address, address + 1);
}

ObjectAddress AddressOfName(uptr name) { return {(name >> kBits) >= kShared, name & kAddressMask}; }

// Whether processes that are not in the schedule may have what is mapped.
static bool has_relatives;
static bool OthersMayMap(const Mapped &mapped) {
  return mapped.has_name ? !mapped.is_ours : has_relatives;
}

bool IsAway(const volatile void *object) {
  if (UNLIKELY(processes_together))
    return false;
  const uptr address = reinterpret_cast<uptr>(object);
  bool away = false;
  ForEachShared([&](const Range &range, const Mapped &mapped) {
    away |= range.begin <= address && address < range.end && OthersMayMap(mapped);
  });
  return away;
}

bool OthersMayEndLoop() {
  if (processes_together)
    return OthersMayChangeMemory();
  bool others = false;
  ForEachShared([&](const Range &, const Mapped &mapped) { others |= OthersMayMap(mapped); });
  return others;
}

void HasRelatives() { has_relatives = true; }

bool OthersMayHave(uptr name) {
  const uptr number = (name >> kBits) - kShared;
  if ((name >> kBits) < kShared)
    return false;
  SpinMutexLock lock(&names->mutex);
  return number < names->mapped.Size() && names->mapped[number].has_name;
}

bool OthersMayChangeMemory() {
  SpinMutexLock lock(&names->mutex);
  for (u32 i = 0; i < names->mapped.Size(); i++)
    if (names->mapped[i].has_name)
      return true;
  return false;
}

void NoteMapping(uptr begin, uptr size, bool shared) {
  if (LIKELY(!processes_together))
    return;
  const uptr end = begin + RoundUpTo(size, GetPageSizeCached());
  SpinMutexLock lock(&ranges_mutex);
  CutOut(begin, end);
  if (shared)
    Learn(begin, end);
}

void NoteDetached(uptr begin) {
  SpinMutexLock lock(&ranges_mutex);
  for (uptr i = 0; i < ranges->Size(); i++)
    if ((*ranges)[i].begin == begin)
      return Remove(i);
}

// The group's own memory is not the program's; what was mapped before is learned now.
void StartNames() {
  names = new (AllocInGroup(sizeof(Names))) Names();
  ranges = __tsan::New<Growable<Range, RuntimeMemory>>();
  SpinMutexLock lock(&ranges_mutex);
  Learn(0, ~uptr(0));
}

} // namespace __heddle
