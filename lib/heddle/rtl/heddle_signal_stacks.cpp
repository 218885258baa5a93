//===-- heddle_signal_stacks.cpp - Where deadly signals are handled -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_signal_stacks.h"

#include "heddle/rtl/heddle_interceptors.h"
#include "sanitizer_common/sanitizer_common.h"

#include <signal.h>
#include <sys/syscall.h>

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

namespace {

uptr size; // of each; 0 if there are to be none

// The start of the thread's own, or null.
THREADLOCAL void *own __attribute__((tls_model("initial-exec")));

constexpr stack_t kNone = {nullptr, SS_DISABLE, 0};

bool Disables(const stack_t *stack) {
  constexpr u32 kAutoDisarm = 1u << 31; // the one flag that goes with others
  return stack && (u32(stack->ss_flags) & ~kAutoDisarm) == SS_DISABLE;
}

stack_t Own() { return own ? stack_t{own, 0, size} : kNone; }

bool Change(const stack_t *to, stack_t *from) { return KernelCall(SYS_sigaltstack, to, from) == 0; }

} // namespace

namespace __heddle {

void AdoptSignalStack() {
  stack_t stack;
  if (!Change(nullptr, &stack) || stack.ss_flags & SS_DISABLE)
    return;
  own = stack.ss_sp;
  size = stack.ss_size;
}

void GiveSignalStack() {
  if (!size || own)
    return;
  ResetSignalStack(MmapOrDie(size, "alternate signal stack"));
}

void ReleaseSignalStack() {
  if (!own)
    return;
  stack_t current;
  // A stack of the program's stays, as it would without us.
  if (!Change(nullptr, &current) || (current.ss_sp == own && !Change(&kNone, nullptr)))
    return;
  UnmapOrDie(own, size);
  own = nullptr;
}

void *OwnSignalStack() { return own; }

void ResetSignalStack(void *own_stack) {
  own = own_stack;
  const stack_t stack = Own();
  Change(&stack, nullptr);
}

} // namespace __heddle

HEDDLE_INTERCEPTOR(int, sigaltstack, const void *set, void *before) {
  stack_t instead;
  if (own && Disables(static_cast<const stack_t *>(set))) {
    instead = Own();
    set = &instead;
  }
  const int result = __interceptor_sigaltstack(set, before);
  auto *shown = static_cast<stack_t *>(before);
  if (result == 0 && shown && own && shown->ss_sp == own)
    *shown = kNone;
  return result;
}
