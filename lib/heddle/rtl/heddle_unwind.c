//===-- heddle_unwind.c - Calls that may be unwound ---------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In C, because C++ with exceptions would need the C++ library, which not every
// program has. Compiled with -fexceptions.
//
//===----------------------------------------------------------------------===//

struct Unwound {
  void (*function)(void *);
  void *argument;
};

static void RunUnwound(struct Unwound *unwound) {
  if (unwound->function)
    unwound->function(unwound->argument);
}

void heddle_call(void (*function)(void), void (*unwound)(void *), void *argument) {
  __attribute__((cleanup(RunUnwound))) struct Unwound cleanup = {unwound, argument};
  function();
  cleanup.function = 0;
}
