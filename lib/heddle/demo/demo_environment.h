//===-- demo_environment.h - Variables that need care ---------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A demo has the environment of the recording. Two kinds of variables are not just
// copied: those that decide what else is run or written, since a demo may come from
// anyone, and those that look like secrets, since a demo may go to anyone.
//
// Both lists go by names that are in use; neither can be complete.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_DEMO_DEMO_ENVIRONMENT_H
#define HEDDLE_DEMO_DEMO_ENVIRONMENT_H

#include "heddle/choice/types.h"

namespace __heddle {

// `variable` is "NAME=value". True if it can make the program, the dynamic linker, an
// interpreter or a sanitizer run or write something else: LD_PRELOAD, PATH, ASAN_OPTIONS.
bool DecidesWhatRuns(const char *variable);

// True if the name says that the value is a secret, or the value is an address with a password.
bool LooksSecret(const char *variable);

// Of the name, which ends with '='; all of it if there is none.
uptr NameLength(const char *variable);

} // namespace __heddle

#endif // HEDDLE_DEMO_DEMO_ENVIRONMENT_H
