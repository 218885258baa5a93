//===-- heddle_interceptors_annotations.cpp - Annotations -----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An annotation is an operation like an atomic one on that address: a switch may come before it,
// and which release an acquire comes after is the schedule's to say. The schedule is the
// same with enable_annotations=0.
//
// They are as strong as upstream's: libraries bring weak ones that do nothing, for the case that
// there is no race detector.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_interceptors.h"

using namespace __sanitizer;
using namespace __tsan;
using namespace __heddle;

template <class Upstream>
static void Annotate(uptr pc, const Operation &operation, Upstream upstream) {
  ThreadState *thr = cur_thread_init();
  // As if the program had called it.
  const auto call = [&] {
    FuncEntry(thr, pc);
    upstream();
    FuncExit(thr);
  };
  if (!IsControlled(thr))
    return call();
  VisibleOperation visible(thr, pc, operation.kind,
                           reinterpret_cast<const void *>(operation.object));
  call();
}

#define HEDDLE_ANNOTATION(function, parameters, arguments, operation, object)                      \
  extern "C" void __interceptor_##function parameters;                                             \
  extern "C" SANITIZER_INTERFACE_ATTRIBUTE void function parameters {                              \
    if (LIKELY(!schedule_controlled)) [[clang::musttail]]                                          \
      return __interceptor_##function arguments;                                                   \
    Annotate(GET_CALLER_PC(), {OperationKind::operation, (uptr)object},                            \
             [&] { __interceptor_##function arguments; });                                         \
  }
#include "heddle/rtl/heddle_annotations.inc"
#undef HEDDLE_ANNOTATION
