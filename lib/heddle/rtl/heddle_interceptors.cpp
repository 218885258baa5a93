//===-- heddle_interceptors.cpp - Finding real functions ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {
namespace {

// Functions of ours that stand for real ones, see heddle_input.h. Few, and looked up once.
struct Replacement {
  const char *name;
  uptr function;
};
constexpr uptr kMostReplacements = 128;
Replacement replacements[kMostReplacements];
uptr replacements_count;
bool reals_final;

} // namespace

SystemCall *KernelCall;

void FindKernel() {
  atomic_uintptr_t real = {};
  KernelCall = reinterpret_cast<SystemCall *>(FindReal("syscall", real));
}

uptr ReplaceReal(const char *name, uptr function) {
  uptr real = 0;
  __interception::InterceptFunction(name, &real, 0, 0);
  CHECK_LT(replacements_count, kMostReplacements);
  // If there is none, whoever calls it is to be told so.
  if (real)
    replacements[replacements_count++] = {name, function};
  return real;
}

uptr FindReal(const char *name, atomic_uintptr_t &found) {
  uptr real = atomic_load(&found, memory_order_acquire);
  if (LIKELY(real))
    return real;
  for (uptr i = 0; i < replacements_count; i++) {
    if (internal_strcmp(replacements[i].name, name) == 0) {
      atomic_store(&found, replacements[i].function, memory_order_release);
      return replacements[i].function;
    }
  }
  // The dynamic linker frees memory. If this is the first call and comes from a signal
  // handler, that is not the program's doing.
  ThreadState *thr = cur_thread_init();
  const uptr in_signal_handler = atomic_load_relaxed(&thr->in_signal_handler);
  atomic_store_relaxed(&thr->in_signal_handler, 0);
  __interception::InterceptFunction(name, &real, 0, 0);
  atomic_store_relaxed(&thr->in_signal_handler, in_signal_handler);
  if (!real) {
    Printf("FATAL: ThreadSanitizer: there is no %s to call.\n", name);
    Die();
  }
  if (reals_final)
    atomic_store(&found, real, memory_order_release);
  return real;
}

void SetRealsFinal() {
  reals_final = true;
  FindRealsForRuntime();
}

} // namespace __heddle
