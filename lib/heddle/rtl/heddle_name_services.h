//===-- heddle_name_services.h - Libraries that look names up -------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libc looks names up with the help of libraries that nsswitch.conf(5) names, and loads them when
// it first needs them. A replay looks nothing up. Were they not there, all that is mapped later
// would have other addresses than in the recording.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_NAME_SERVICES_H
#define HEDDLE_RTL_NAME_SERVICES_H

namespace __heddle {

// Those for hosts and services, once, before the first look-up.
void LoadNameServices();

} // namespace __heddle

#endif // HEDDLE_RTL_NAME_SERVICES_H
