//===-- tsan_interface_ann.h - Upstream's annotations by another name -----===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's header. Where an annotation is an operation of the schedule, the program calls
// heddle/rtl/heddle_interceptors_annotations.cpp, and that calls what upstream defines. Annotations
// are not weak as interceptors are, so upstream's definitions get the name that
// upstream's interceptors have: reports do not show its prefix.
//
//===----------------------------------------------------------------------===//

#include "upstream/tsan/rtl/tsan_interface_ann.h"

extern "C" {
#define HEDDLE_ANNOTATION(function, parameters, arguments, operation, object)                      \
  SANITIZER_INTERFACE_ATTRIBUTE void function parameters __asm__("__interceptor_" #function);
#include "heddle/rtl/heddle_annotations.inc"
#undef HEDDLE_ANNOTATION
// See heddle/rtl/heddle_fibers.cpp.
SANITIZER_INTERFACE_ATTRIBUTE void *
__tsan_create_fiber(unsigned flags) __asm__("__interceptor___tsan_create_fiber");
SANITIZER_INTERFACE_ATTRIBUTE void
__tsan_destroy_fiber(void *fiber) __asm__("__interceptor___tsan_destroy_fiber");
SANITIZER_INTERFACE_ATTRIBUTE void
__tsan_switch_to_fiber(void *fiber, unsigned flags) __asm__("__interceptor___tsan_switch_to_fiber");
} // extern "C"
