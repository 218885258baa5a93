//===-- heddle_own_flags.h - Flags for this process alone ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some flags are about this process and nothing that it executes: the demo that it records, and
// descriptors that are open here alone. They are taken out of TSAN_OPTIONS when they have been
// read, or else another program with this runtime, also this one executed anew, would write
// over the demo, or refuse to start.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_OWN_FLAGS_H
#define HEDDLE_RTL_OWN_FLAGS_H

namespace __heddle {

// `flag` ends with '='. It is blanked where it stands: nothing moves.
void HideFromOthers(const char *flag);

} // namespace __heddle

#endif // HEDDLE_RTL_OWN_FLAGS_H
