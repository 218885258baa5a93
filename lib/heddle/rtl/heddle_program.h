//===-- heddle_program.h - Which program this is --------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_PROGRAM_H
#define HEDDLE_RTL_PROGRAM_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

constexpr ::__sanitizer::uptr kBuildIdSize = 96;

// Text that differs between builds of the program: the linker's build id, or else a checksum
// of the file.
void GetBuildId(char (&text)[kBuildIdSize]);

} // namespace __heddle

#endif // HEDDLE_RTL_PROGRAM_H
