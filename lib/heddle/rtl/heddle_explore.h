//===-- heddle_explore.h - Many executions in one process -----------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See heddle_explore.cpp, and include/sanitizer/heddle_interface.h for who uses it.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_EXPLORE_H
#define HEDDLE_RTL_EXPLORE_H

#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_flags.h"

struct __heddle_explore_options;

namespace __heddle {

// What is to be explored, and how.
struct ExploreSettings {
  static constexpr uptr kMaxText = 4096;

  u64 executions;
  double seconds; // 0: any
  u64 seed;       // 0: to be drawn
  bool exhaust;
  bool go_on;
  const char *name;    // or ""
  const char *choices; // or null: an execution of an enumeration, to be repeated
  WeakMemory weak_memory;
  StrategyInUse strategy;
  bool estimates_events;
  int (*failed)(void *argument);
  void *failed_argument;

  // From the program, the flags of the process, and HEDDLE_EXPLORE, each before the one that it is
  // named before. Ends the process with a message if they make no sense.
  void Read(const __heddle_explore_options &options);
  void Check() const;
  // What repeats an execution with this strategy.
  void AddTo(__sanitizer::InternalScopedString *text, const StrategyInUse &used) const;

private:
  void ReadEnvironment(const char *text, struct ExploreWords *words);
};

// Ends the process.
template <class... Values> [[noreturn]] void RefuseToExplore(const char *format, Values... values) {
  __sanitizer::Printf("ERROR: ThreadSanitizer: heddle::Explore: ");
  __sanitizer::Printf(format, values...);
  __sanitizer::Printf(".\n");
  __sanitizer::Die();
}

// Which execution this is, and how to repeat it; in place of what is said of a schedule. False if
// none is under way.
bool PrintExploreNote();

} // namespace __heddle

#endif // HEDDLE_RTL_EXPLORE_H
