//===-- heddle_inputs.cpp - The calls that may bring input ----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// heddle_inputs.inc has the calls. Here is what a row of it becomes.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_inputs.h"

#include "heddle/rtl/heddle_interceptors.h"

#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>

using namespace __sanitizer;
using namespace __heddle;

// Upstream's pointers to the real functions.
#define INPUT(result, name, parameters, arguments, before, brings, parts)                          \
  namespace __interception {                                                                       \
  extern result(*real_##name) parameters;                                                          \
  }
#define INPUT_OF_LIBC(result, name, parameters, arguments, before, brings, parts)
#include "heddle/rtl/heddle_inputs.inc"
#undef INPUT
#undef INPUT_OF_LIBC

namespace __heddle {
namespace {

#define INPUT(result_type, name, parameters, arguments, before, brings, parts)                     \
  result_type(*real_##name) parameters;                                                            \
  result_type input_##name parameters {                                                            \
    before;                                                                                        \
    return Through<result_type>(                                                                   \
        kInput_##name, [&] { return brings; }, [&] { return real_##name arguments; },              \
        [&](auto &io, result_type result) {                                                        \
          (void)io, (void)result;                                                                  \
          parts;                                                                                   \
        });                                                                                        \
  }
#define INPUT_OF_LIBC INPUT
#include "heddle/rtl/heddle_inputs.inc"
#undef INPUT
#undef INPUT_OF_LIBC

} // namespace

const char *NameOfInput(InputCall call) {
  switch (call) {
#define INPUT(result, name, parameters, arguments, before, brings, parts)                          \
  case kInput_##name:                                                                              \
    return #name;
#define INPUT_OF_LIBC INPUT
#include "heddle/rtl/heddle_inputs.inc"
#undef INPUT
#undef INPUT_OF_LIBC
  case kInputClock:
    return "a clock";
  }
  return "an unknown function";
}

void InstallInputs() {
#define INPUT(result, name, parameters, arguments, before, brings, parts)                          \
  real_##name = __interception::real_##name;                                                       \
  __interception::real_##name = input_##name;
#define INPUT_OF_LIBC(result, name, parameters, arguments, before, brings, parts)                  \
  real_##name = reinterpret_cast<result(*) parameters>(                                            \
      ReplaceReal(#name, reinterpret_cast<uptr>(input_##name)));
#include "heddle/rtl/heddle_inputs.inc"
#undef INPUT
#undef INPUT_OF_LIBC
}

} // namespace __heddle
