//===-- heddle_inputs.h - The calls that may bring input, by number -------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_INPUTS_H
#define HEDDLE_RTL_INPUTS_H

#include "heddle/rtl/heddle_input.h"

namespace __heddle {

// A demo is for one build of a program, which the runtime is a part of: the numbers are the
// same in a replay.
enum InputNumber : InputCall {
#define INPUT(result, name, parameters, arguments, before, brings, parts) kInput_##name,
#include "heddle/rtl/heddle_inputs.inc"
  kInputClock,
  kInputTimestamp,
  kInputs,
};

const char *NameOfInput(InputCall call);

} // namespace __heddle

#endif // HEDDLE_RTL_INPUTS_H
