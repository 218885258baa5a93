//===-- heddle_shared_memory.h - What objects are called in a group -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the schedule of several processes an object is not its address: each process has its own
// objects in private memory, and those in shared memory may be at different addresses in each. So
// there is a name for it, a number:
//
//   in private memory   1 + the number of the process (16 bits), the address (48)
//   in shared memory    2^15 + the number of what is mapped (16 bits), the offset in it (48)
//
// Small numbers, which are not addresses, stay: those of threads, for instance. What is mapped is
// known by how the system names it, in /proc/self/maps, which is read when something has been
// mapped.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_SHARED_MEMORY_H
#define HEDDLE_RTL_SHARED_MEMORY_H

#include "heddle/choice/growable.h"
#include "heddle/rtl/heddle_group.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

uptr NameOfObjectImpl(uptr object);
ALWAYS_INLINE uptr NameOfObject(uptr object) {
  return LIKELY(!processes_together) ? object : NameOfObjectImpl(object);
}
ALWAYS_INLINE uptr NameOfObject(const volatile void *object) {
  return NameOfObject(reinterpret_cast<uptr>(object));
}
// The same for an object that says that processes share it. It may be in memory which nobody saw
// mapped: libc has done so itself.
void KnowSharedObject(const volatile void *object);

// As the system has it now.
bool IsSharedMapping(const volatile void *object);
// Whether a process that is not in this schedule may change what a loop of the program's waits for.
// This one has been forked, or has forked another.
bool OthersMayEndLoop();
extern bool has_relatives;

// An object that says that processes share it: whether all of those are in the schedule.
ALWAYS_INLINE bool InSchedule(const volatile void *object) {
  if (LIKELY(!processes_together))
    return false;
  KnowSharedObject(object);
  return true;
}

// The address in this process, and whether it is in shared memory; for reports.
struct ObjectAddress {
  bool is_shared;
  uptr value; // the address, or the offset in what is mapped
};
ObjectAddress AddressOfName(uptr name);
// Whether other programs may have the object as well: it is in memory that has a name.
bool OthersMayHave(uptr name);
// Whether there is any such memory.
bool OthersMayChangeMemory();

void StartNames(); // when the group has its memory
// Something has been mapped, or is no more.
void NoteMapping(uptr begin, uptr size, bool shared);
void NoteDetached(uptr begin); // a segment of System V

} // namespace __heddle

#endif // HEDDLE_RTL_SHARED_MEMORY_H
