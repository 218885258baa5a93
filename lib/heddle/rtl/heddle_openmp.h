//===-- heddle_openmp.h - Programs that use OpenMP ------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_OPENMP_H
#define HEDDLE_RTL_OPENMP_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

// Where the code of OpenMP's runtime is, when that has been set up.
extern __sanitizer::uptr openmp_code, openmp_code_size;

// Seam openmp-accesses.
ALWAYS_INLINE bool IsOpenMp(__sanitizer::uptr pc) { return pc - openmp_code < openmp_code_size; }

// Whether a library of that kind is loaded with the program.
bool ProgramUsesOpenMp();

} // namespace __heddle

#endif // HEDDLE_RTL_OPENMP_H
