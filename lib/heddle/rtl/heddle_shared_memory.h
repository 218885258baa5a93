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

// Whether a process that is not in this schedule may change what a loop of the program's waits for.
bool OthersMayEndLoop();

// Of an object that says whether processes share it. To be called before an operation on it.
ALWAYS_INLINE bool SaysShared(const volatile void *object, bool shared) {
  if (UNLIKELY(processes_together) && shared)
    KnowSharedObject(object);
  return shared;
}
// Whether processes that are not in the schedule may have the object, so that it is to be waited
// for in the kernel. Only what is mapped as shared can be such, whatever the object says of itself:
// of all else a fork makes a copy. And as long as this process has no relatives, it must have a
// name. Asks the system: to be called when the object has to be waited for, and says that it is
// shared.
bool IsAway(const volatile void *object);
// This process has been forked, or has forked: from now on that holds for what has no name, too.
void HasRelatives();

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
