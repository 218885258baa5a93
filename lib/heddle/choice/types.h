//===-- types.h - Integers without a library ------------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integer types of the layers that include neither libc nor the sanitizers'
// headers. They are the same types as sanitizer_common's of these names.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_CHOICE_TYPES_H
#define HEDDLE_CHOICE_TYPES_H

namespace __heddle {

using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;
using s32 = int;
using s64 = long long;
using uptr = unsigned long;

static_assert(sizeof(u32) == 4 && sizeof(u64) == 8 && sizeof(uptr) == sizeof(void *));

} // namespace __heddle

#endif // HEDDLE_CHOICE_TYPES_H
