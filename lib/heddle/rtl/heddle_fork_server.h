//===-- heddle_fork_server.h - Many executions from one start -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_FORK_SERVER_H
#define HEDDLE_RTL_FORK_SERVER_H

#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

// Whether executions are to be served before the first thread is created.
extern bool fork_server;

// This process is an execution of a fork server.
extern bool served;

void StartForkServer();
// Serves until the client has gone, and ends the process. In an execution it returns.
void ServeExecutions();

// The first thread is about to be created.
ALWAYS_INLINE void MaybeServeExecutions() {
  if (UNLIKELY(fork_server))
    ServeExecutions();
}

} // namespace __heddle

#endif // HEDDLE_RTL_FORK_SERVER_H
