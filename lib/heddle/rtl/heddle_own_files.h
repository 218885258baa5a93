//===-- heddle_own_files.h - Files that the runtime itself writes ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Demos, traces, logs and executions. The program must not notice that they are written: their
// descriptors have high numbers, and a limit that the program sets on its files (RLIMIT_FSIZE) is
// for its files. It neither gets SIGXFSZ for one of ours nor cuts it off.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_OWN_FILES_H
#define HEDDLE_RTL_OWN_FILES_H

#include "sanitizer_common/sanitizer_file.h"

namespace __heddle {

// Creates the file that a flag names, or ends the program with a message. With RdWr what an older
// file has is still there.
__sanitizer::fd_t CreateOwnFile(const char *flag, const char *path,
                                __sanitizer::FileAccessMode mode = __sanitizer::WrOnly);

// Writes all of it. Returns 0, or errno.
int WriteOwnFile(__sanitizer::fd_t file, const void *bytes, __sanitizer::uptr size);

// Makes room on the disk for that part of it, of bytes of 0 where it has none. Returns 0, or errno.
int ReserveOwnFile(__sanitizer::fd_t file, __sanitizer::uptr begin, __sanitizer::uptr size);

} // namespace __heddle

#endif // HEDDLE_RTL_OWN_FILES_H
