//===-- heddle_interceptors.h - Interceptors under a schedule -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's interceptors are weak, and __interceptor_<name> leads to them. Ours are
// weak too, since a program may define such a function itself, and come first in the
// library, so that the linker takes ours where the program has none. If the thread is controlled it
// performs the operation under the schedule; if not, upstream's interceptor does its work.
//
//   HEDDLE_INTERCEPTOR(int, pthread_mutex_unlock, void *mutex) {
//     HEDDLE_CONTROLLED(pthread_mutex_unlock, mutex);
//     VisibleOperation visible(thr, pc, OperationKind::kUnlock, mutex);
//     ...
//
// Within a controlled operation upstream's interceptor may be called too, if it
// cannot block there.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_INTERCEPTORS_H
#define HEDDLE_RTL_INTERCEPTORS_H

#include "heddle/rtl/heddle_control.h"
#include "heddle/rtl/heddle_sync.h"
#include "interception/interception.h"
#include "tsan_interceptors.h"
#include "tsan_rtl.h"

// A function of ours, and upstream's as __interceptor_<name>. Ours goes by another
// name in C++: system headers may declare the function with other types.
#define HEDDLE_INTERCEPTOR(result, name, ...)                                                      \
  extern "C" result __interceptor_##name(__VA_ARGS__);                                             \
  HEDDLE_WEAK_FUNCTION(result, name, (__VA_ARGS__))

// The same for a function that upstream does not intercept: __interceptor_<name>
// calls the real one then. Not within a VisibleOperation, as it may have to look
// for it first.
#define HEDDLE_REAL(result, name, parameters, arguments)                                           \
  extern "C" result __interceptor_##name parameters {                                              \
    static ::__sanitizer::atomic_uintptr_t real;                                                   \
    return reinterpret_cast<result(*) parameters>(::__heddle::FindReal(#name, real)) arguments;    \
  }

// The function and its chain in one.
#define HEDDLE_NEW_INTERCEPTOR(result, name, parameters, arguments)                                \
  HEDDLE_CHAIN_TO_LIBC(result, name, parameters, arguments)                                        \
  HEDDLE_WEAK_FUNCTION(result, name, parameters)

#define HEDDLE_CHAIN_TO_LIBC(result, name, parameters, arguments)                                  \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE result __interceptor_##name parameters {                \
    static __sanitizer::atomic_uintptr_t real;                                                     \
    return reinterpret_cast<result(*) parameters>(::__heddle::FindReal(#name, real)) arguments;    \
  }

// A function that replaces libc's, and nothing more.
#define HEDDLE_WEAK_FUNCTION(result, name, parameters)                                             \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE SANITIZER_WEAK_ATTRIBUTE result                         \
      heddle_##name parameters __asm__(#name);                                                     \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE SANITIZER_WEAK_ATTRIBUTE result heddle_##name parameters

// Leaves it to upstream unless the thread is controlled; the arguments follow.
// Defines thr and pc.
#define HEDDLE_CONTROLLED(name, ...)                                                               \
  if (LIKELY(!::__heddle::schedule_controlled))                                                    \
    return __interceptor_##name(__VA_ARGS__);                                                      \
  HEDDLE_CONTROLLED_OR(name, return __interceptor_##name(__VA_ARGS__))

#define HEDDLE_CONTROLLED_OR(name, otherwise)                                                      \
  ThreadState *thr = cur_thread_init();                                                            \
  if (!::__heddle::IsControlled(thr))                                                              \
    otherwise;                                                                                     \
  ::__heddle::AsyncCancelPoint cancel_point(thr);                                                  \
  ScopedInterceptor si(thr, #name, GET_CALLER_PC());                                               \
  UNUSED const uptr pc = GET_CURRENT_PC();

namespace __heddle {

// The function of that name in libc, or whatever library comes next.
uptr FindReal(const char *name, __sanitizer::atomic_uintptr_t &found);
// A system call by number, past all interceptors: libc's syscall() is intercepted, too.
using SystemCall = long(long number, ...);
extern SystemCall *KernelCall;
void FindKernel();
// From now on, `function` is found instead. Returns the real one.
uptr ReplaceReal(const char *name, uptr function);
// All that is to be replaced has been: what is found is not looked for again.
void SetRealsFinal();
// Upstream calls some of those that we intercept in reports, and in children that it has yet to
// turn into other programs: nothing can be looked for there.
void FindRealsForRuntime();

// And neither ignores what it does nor is within an operation already.
bool IsControlled(__tsan::ThreadState *thr);

// Handles signals that came while the thread was blocked. Returns whether a system
// call would fail with EINTR for them, and not go on.
bool HandleSignals(__tsan::ThreadState *thr);

// Seam signal-comes: whether the signal is not to be handled now, see heddle_demo.h.
bool KeepSignal(__tsan::ThreadState *thr, int signal, const void *info);

} // namespace __heddle

#endif // HEDDLE_RTL_INTERCEPTORS_H
