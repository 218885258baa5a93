//===-- heddle_interceptors.cpp - Finding real functions ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"

using namespace __sanitizer;

namespace __heddle {

uptr FindReal(const char *name, atomic_uintptr_t &found) {
  uptr real = atomic_load(&found, memory_order_acquire);
  if (LIKELY(real))
    return real;
  __interception::InterceptFunction(name, &real, 0, 0);
  if (!real) {
    Printf("FATAL: ThreadSanitizer: there is no %s to call.\n", name);
    Die();
  }
  atomic_store(&found, real, memory_order_release);
  return real;
}

} // namespace __heddle
