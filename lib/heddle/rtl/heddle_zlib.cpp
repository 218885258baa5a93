//===-- heddle_zlib.cpp - What the runtime's zlib must not do -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's zlib (cmake/Zlib.cmake) has an allocator for callers that bring none.
// We bring one. Should it be called all the same, the program's malloc is not to be
// entered from inside the runtime.
//
//===----------------------------------------------------------------------===//

#include "sanitizer_common/sanitizer_internal_defs.h"

extern "C" {
void *heddle_z_malloc(__sanitizer::uptr);
void heddle_z_free(void *);

void *heddle_z_malloc(__sanitizer::uptr) {
  CHECK(!"zlib allocates memory of its own");
  return nullptr;
}

void heddle_z_free(void *) { CHECK(!"zlib frees memory of its own"); }
}
