//===-- protocol.h - How executions are asked of a fork server ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that runs with fork_server=N goes on to the moment before its first
// thread starts, and serves executions from there: each is a child of its own that
// goes on from that moment. Descriptor N is one end of a pair of AF_UNIX sockets of
// type SOCK_SEQPACKET; whoever has the other end, the client, says
//
//   request   flags as in TSAN_OPTIONS, a text of at most kMaxRequest bytes. With it
//             come, as SCM_RIGHTS, no descriptor or two: standard output and standard
//             error of the execution.
//
// and the server, one Answer each
//
//   kReady    once, when it can be asked
//   kStarted  an execution has begun: its process
//   kRefused  it has not, and errno is in `status`; the server goes on
//   kEnded    it has ended: its status as of waitpid, and the time it took
//
// A request is answered by kRefused, or by kStarted and then kEnded, before the next
// one is read. To end an execution early, kill its process. When the client closes
// its end the server exits. A program that starts no thread runs to its end, and
// never says kReady.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_SERVER_PROTOCOL_H
#define HEDDLE_SERVER_PROTOCOL_H

#include "heddle/choice/types.h"

namespace __heddle {

constexpr u32 kServerMagic = 0x5244'4548; // "HEDR"
constexpr u32 kServerVersion = 1;         // changes with any of the layouts here
constexpr u32 kMaxRequest = 4095;

enum class AnswerKind : u32 { kReady, kStarted, kRefused, kEnded };

struct Answer {
  u32 magic;
  u32 version;
  AnswerKind kind;
  s32 process;
  s32 status;
  u32 zero; // no padding, whose bytes would be anybody's
  u64 user_us, system_us;
};
static_assert(sizeof(Answer) == 40);

} // namespace __heddle

#endif // HEDDLE_SERVER_PROTOCOL_H
