//===-- heddle_volatile.h - Accesses to volatile objects ------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_VOLATILE_H
#define HEDDLE_RTL_VOLATILE_H

#include "heddle/choice/types.h"

namespace __heddle {

// Whether volatile_order= is anything but plain, or there is a schedule. Set when the
// flags are parsed, and when the schedule begins.
extern bool volatile_is_special;

// The compiler's announcement of an access. False if it is a plain one all the same,
// and for the caller to record.
bool VolatileRead(uptr pc, uptr addr, uptr size);
bool VolatileWrite(uptr pc, uptr addr, uptr size);

} // namespace __heddle

#endif // HEDDLE_RTL_VOLATILE_H
