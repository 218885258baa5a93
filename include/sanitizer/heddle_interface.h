//===-- sanitizer/heddle_interface.h - Exploring inside a test ------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A test says what its threads do; Heddle runs it many times in the same process,
// each time with another schedule and other stores read:
//
//   #include <sanitizer/heddle_interface.h>
//
//   TEST(Queue, PopsWhatWasPushed) {
//     heddle::Options options;
//     options.weak_memory = "buffer";
//     options.failed = [] { return ::testing::Test::HasFailure(); };
//     heddle::Explore(options, [] {
//       Queue queue;
//       std::thread pusher([&] { queue.Push(1); });
//       EXPECT_NE(queue.Pop(), 2);
//       pusher.join();
//     });
//   }
//
// The body makes what it works on, and ends the threads that it starts. In a program that is not
// built with Heddle it runs once. See docs/explore.md.
//
//===----------------------------------------------------------------------===//
#ifndef SANITIZER_HEDDLE_INTERFACE_H
#define SANITIZER_HEDDLE_INTERFACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Zero, or null, is the default of every member but the first.
struct __heddle_explore_options {
  size_t size;             // of this structure
  uint64_t executions;     // at most; default: 1000, and no limit if all are enumerated
  double seconds;          // at most; default: no limit
  uint64_t seed;           // of the first execution, the next has the next; default: drawn
  const char *strategy;    // as schedule= in TSAN_OPTIONS; default: that of the process, or random
  int depth;               // as schedule_depth=
  uint64_t events;         // as schedule_events=; default: as many as the execution before had
  const char *weak_memory; // "off", "buffer" or "mograph"; default: that of the process
  const char *read_policy; // as read_policy=
  const char *name;        // to tell it from others in the same program
  int exhaust;             // enumerate all executions
  int go_on;               // after a failed execution
  // Asked after each execution whether it has failed.
  int (*failed)(void *argument);
  void *failed_argument;
  unsigned history; // as history_depth=; default: 2
};

struct __heddle_explore_result {
  uint64_t executions;
  uint64_t failed; // of them
  uint64_t seed;   // of the first that has failed
  int complete;    // there is no other execution: with `exhaust`
};

// Runs the body many times; it returns 0, or another number if the execution has failed.
// Returns 0 if none has failed.
int __heddle_explore(const struct __heddle_explore_options *options, int (*body)(void *argument),
                     void *argument, struct __heddle_explore_result *result) __attribute__((weak));

// A number below `options`, chosen like all else; 0 outside of an execution.
uint32_t __heddle_choose(uint32_t options) __attribute__((weak));

#ifdef __cplusplus
} // extern "C"
#endif

// The runtime itself has no C++ library.
#if defined(__cplusplus) && !defined(HEDDLE_INTERFACE_C_ONLY)
#include <functional>
#include <type_traits>
#if defined(__cpp_exceptions)
#include <exception>
#endif

namespace heddle {

struct Options {
  uint64_t executions = 0;
  double seconds = 0;
  uint64_t seed = 0;
  const char *strategy = nullptr;
  int depth = 0;
  uint64_t events = 0;
  unsigned history = 0;
  const char *weak_memory = nullptr;
  const char *read_policy = nullptr;
  const char *name = nullptr;
  bool go_on = false;
  std::function<bool()> failed;
};

struct Result {
  uint64_t executions = 0;
  uint64_t failed = 0;
  uint64_t seed = 0;
  bool complete = false;

  explicit operator bool() const { return !failed; }
};

namespace detail {

template <class Body> struct Call {
  Body &body;
#if defined(__cpp_exceptions)
  std::exception_ptr exception = nullptr;
#endif

  int Run() {
    if constexpr (std::is_convertible_v<std::invoke_result_t<Body &>, bool>) {
      return body() ? 0 : 1;
    } else {
      body();
      return 0;
    }
  }
  static int Begin(void *argument) {
    Call *call = static_cast<Call *>(argument);
#if defined(__cpp_exceptions)
    try {
      return call->Run();
    } catch (...) {
      if (!call->exception)
        call->exception = std::current_exception();
      return 1;
    }
#else
    return call->Run();
#endif
  }
};

template <class Body> Result Run(const Options &options, Body &body, bool exhaust) {
  Call<Body> call{body};
  Result result;
  if (!&__heddle_explore) {
    result.executions = 1;
    result.failed = call.Run() || (options.failed && options.failed());
    return result;
  }
  __heddle_explore_options passed = {};
  passed.size = sizeof(passed);
  passed.executions = options.executions;
  passed.seconds = options.seconds;
  passed.seed = options.seed;
  passed.strategy = options.strategy;
  passed.depth = options.depth;
  passed.events = options.events;
  passed.history = options.history;
  passed.weak_memory = options.weak_memory;
  passed.read_policy = options.read_policy;
  passed.name = options.name;
  passed.exhaust = exhaust;
  passed.go_on = options.go_on;
  if (options.failed) {
    passed.failed = [](void *argument) {
      return (*static_cast<const std::function<bool()> *>(argument))() ? 1 : 0;
    };
    passed.failed_argument = const_cast<std::function<bool()> *>(&options.failed);
  }
  __heddle_explore_result passed_back = {};
  __heddle_explore(&passed, Call<Body>::Begin, &call, &passed_back);
#if defined(__cpp_exceptions)
  if (call.exception)
    std::rethrow_exception(call.exception);
#endif
  result.executions = passed_back.executions;
  result.failed = passed_back.failed;
  result.seed = passed_back.seed;
  result.complete = passed_back.complete;
  return result;
}

} // namespace detail

// Runs the body many times, each with another seed, until one fails: a report, an exception, false
// if it returns bool, or options.failed. An exception goes on to the caller then.
template <class Body> Result Explore(const Options &options, Body &&body) {
  return detail::Run(options, body, /*exhaust=*/false);
}
template <class Body> Result Explore(Body &&body) { return Explore(Options(), body); }

// Runs the body with each sequence of choices once. Strategy, seed and read policy have no say.
template <class Body> Result Exhaust(const Options &options, Body &&body) {
  return detail::Run(options, body, /*exhaust=*/true);
}
template <class Body> Result Exhaust(Body &&body) { return Exhaust(Options(), body); }

// A number below `options` that belongs to the execution.
inline uint32_t Choose(uint32_t options) { return &__heddle_choose ? __heddle_choose(options) : 0; }

} // namespace heddle
#endif // C++

#endif // SANITIZER_HEDDLE_INTERFACE_H
