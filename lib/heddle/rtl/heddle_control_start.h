//===-- heddle_control_start.h - The strategy that the flags ask for ------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_CONTROL_START_H
#define HEDDLE_RTL_CONTROL_START_H

#include "heddle/rtl/heddle_control_impl.h"

namespace __heddle {

// With a seed, which is drawn if the flags have none. Ends the process with a message if the
// flags make no sense.
StrategyInUse StrategyOfFlags();

} // namespace __heddle

#endif // HEDDLE_RTL_CONTROL_START_H
