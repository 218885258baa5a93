//===-- heddle_modules.h - What the program is made of --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program and its libraries. Three kinds: those of the system, which interceptors stand in
// front of; those that are instrumented, the program among them; and all others, whose loads and
// stores nobody sees.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_MODULES_H
#define HEDDLE_RTL_MODULES_H

#include "sanitizer_common/sanitizer_internal_defs.h"

#include <link.h>

namespace __heddle {

// libc and its like.
bool IsOfSystem(const char *path);

// Calls `visit` with each module until it returns true. Returns whether it did.
template <class Visit> bool AnyModule(const Visit &visit);
bool AnyModule(int (*visit)(dl_phdr_info *, __sanitizer::usize, void *), void *argument);

template <class Visit> bool AnyModule(const Visit &visit) {
  return AnyModule(
      [](dl_phdr_info *module, __sanitizer::usize, void *argument) {
        return int((*static_cast<const Visit *>(argument))(*module));
      },
      const_cast<Visit *>(&visit));
}

// Whether the module has that code.
bool HasCode(const dl_phdr_info &module, __sanitizer::uptr pc);

// Whether it is of the third kind.
bool IsUnseen(const dl_phdr_info &module);

// Whether there is such a module at all, and whether the code is in one.
bool SomeCodeIsUnseen();
bool IsUnseenCode(__sanitizer::uptr pc);

} // namespace __heddle

#endif // HEDDLE_RTL_MODULES_H
