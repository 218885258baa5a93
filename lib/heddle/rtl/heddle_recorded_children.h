//===-- heddle_recorded_children.h - Demos of children --------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A recording covers the processes that a recorded one makes, and the programs that these execute.
// Each has a demo of its own, in the directory of the one that it comes from:
//
//   child-T-N   of the Nth child that thread T has made
//   exec        of the program that the process has executed
//
// The child of a fork goes on from where its parent is, in a recording as in a replay. So its demo
// has no beginning, and can be played only by the child of a process that plays the parent's.
//
// A program that is executed begins anew. It finds record_demo= or play_demo= in its environment,
// and demo_of=, which says whose they are: the environment is handed on to programs that have no
// part in it, and these may start others.
//
// What cannot be recorded (children=free, a program without this runtime, a directory that cannot
// be made) runs freely, in the replay as well: see heddle_input.h.
//
//===----------------------------------------------------------------------===//
#ifndef HEDDLE_RTL_RECORDED_CHILDREN_H
#define HEDDLE_RTL_RECORDED_CHILDREN_H

#include "heddle/demo/demo_meta.h"
#include "sanitizer_common/sanitizer_internal_defs.h"

namespace __heddle {

struct ControlledThread;
struct RuntimeMemory;

// The flags name a demo that is another process's: then they name none. Before anything else is
// done about demos.
void ForgetDemoOfOthers();

// The process records to this directory, or plays what is there. Paths of its children's demos are
// made of it, whatever the current directory is by then.
void SetDemoDirectory(const char *directory);

// The thread is about to make a child.
void ExpectChild(ControlledThread *thread);
// In the child of a fork, whose thread this is: from here on it is recorded by itself, or played,
// or neither.
void BeginChildsDemo(ControlledThread *thread);
// In a replay: whether there is a demo of the child that the thread has made last.
bool HasChildsDemo(const ControlledThread *thread);

// Descriptors that a program which was executed has from before. In a replay some of them are
// placeholders, which are closed on execution: they are made again.
void DescribeInherited(MetaWriter<RuntimeMemory> &meta);
void CreateInherited(const MetaReader &meta);

// The environment of a program that is about to be executed, in which it finds its demo.
class NextEnvironment {
public:
  enum class Kind : unsigned char { kInPlace, kChild };
  // If there is a demo, and the program may take part in it. Otherwise it is the one that is given.
  NextEnvironment(const ControlledThread *thread, Kind kind, const char *program,
                  char *const *environment);
  ~NextEnvironment();
  char *const *Get() const { return made_ ? made_ : given_; }

private:
  char *const *given_;
  char **made_ = nullptr;
  char *options_ = nullptr;
};

} // namespace __heddle

#endif // HEDDLE_RTL_RECORDED_CHILDREN_H
