//===-- heddle_execution.cpp - What an execution did, to be shown ---------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line of JSON each, which is the kernel's at once: an execution that crashes, or is killed
// because it never ends, leaves what it did. Stacks, places in modules and clocks are written
// when they are new; what has been forgotten of that is written again.
//
// No memory comes from the program's: a replay has the addresses of the recording.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_execution.h"

#include "heddle/choice/text.h"
#include "heddle/rtl/heddle_control_impl.h"
#include "heddle/rtl/heddle_weak_policy.h"
#include "heddle/rtl/heddle_window_file.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_stackdepot.h"
#include "sanitizer_common/sanitizer_symbolizer.h"
#include "tsan_report.h"
#include "tsan_rtl.h"

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

bool writes_execution;

namespace {

constexpr u32 kVersion = 1;
constexpr u32 kMostFrames = 256;

WindowFile file;
StaticSpinMutex mutex; // of the file and of all below

// Which of many have been written, as far as is remembered.
template <class T, uptr kSize> class Known {
public:
  // Whether it was not.
  bool Enter(T value) {
    T &place = places_[value % kSize];
    const bool is_new = place != value;
    place = value;
    return is_new;
  }

private:
  T places_[kSize];
};

Known<u32, 1 << 13> known_stacks;
Known<uptr, 1 << 12> known_places, known_objects;

// Of the operation that has begun.
struct Description {
  u32 stack, slot, epoch;
  bool has_access, has_store, has_child;
  AtomicAccess access;
  StoredValue store;
  u32 newer;
  ThreadId child;
};
Description current;

class Line {
public:
  explicit Line(const char *first) : text_(buffer_, sizeof(buffer_)) { text_ << '{' << first; }
  ~Line() {
    text_ << "}\n";
    if (!writes_execution || text_.Length() >= sizeof(buffer_))
      return;
    if (!file.Append(buffer_, text_.Length()))
      return;
    writes_execution = false;
    Printf("WARNING: ThreadSanitizer: execution_file: the rest cannot be written.\n");
  }

  template <class T> Line &operator<<(T value) {
    text_ << value;
    return *this;
  }
  Line &Quote(const char *string) {
    text_ << '"';
    for (; *string; string++) {
      if (*string == '"' || *string == '\\')
        text_ << '\\' << *string;
      else
        text_ << (static_cast<u8>(*string) < ' ' ? '?' : *string);
    }
    text_ << '"';
    return *this;
  }

private:
  static char buffer_[1 << 15]; // longer than any line

  TextWriter text_;
};
char Line::buffer_[];

void WritePlace(const char *what, uptr address, uptr looked_up) {
  const char *module = nullptr;
  uptr offset = 0;
  if (!Symbolizer::GetOrInit()->GetModuleNameAndOffsetForPC(looked_up, &module, &offset))
    return;
  Line line("\"");
  line << what << "\":" << u64(address) << ",\"module\":";
  line.Quote(module) << ",\"offset\":" << u64(offset);
}

// A pc is a return address: the call is before it.
void WriteCode(uptr pc) {
  if (known_places.Enter(pc))
    WritePlace("pc", pc, StackTrace::GetPreviousInstructionPc(pc));
}

void WriteStack(u32 id) {
  if (!id || !known_stacks.Enter(id))
    return;
  const StackTrace stack = StackDepotGet(id);
  const u32 frames = min<u32>(stack.size, kMostFrames);
  for (u32 i = 0; i < frames; i++)
    WriteCode(stack.trace[stack.size - 1 - i]);
  Line line("\"stack\":");
  line << id << ",\"pcs\":[";
  for (u32 i = 0; i < frames; i++)
    line << (i ? "," : "") << u64(stack.trace[stack.size - 1 - i]);
  line << ']';
}

// What has changed of a thread's clock since it was last written.
void WriteClock(ControlledThread *thread, ThreadState *thr) {
  constexpr uptr kBytes = kThreadSlotCount * sizeof(u16);
  if (!thread->shown_clock) {
    thread->shown_clock = static_cast<u16 *>(Alloc(kBytes));
    internal_memset(thread->shown_clock, 0, kBytes);
    Line line("\"thread\":");
    line << thread->id << ",\"tid\":" << u32(thread->own->tid);
  }
  u16 now[kThreadSlotCount];
  for (uptr i = 0; i < kThreadSlotCount; i++)
    now[i] = static_cast<u16>(thr->clock.Get(static_cast<Sid>(i)));
  if (!internal_memcmp(now, thread->shown_clock, kBytes))
    return;
  Line line("\"clock\":");
  line << thread->id << ",\"changes\":[";
  const char *between = "";
  for (u32 i = 0; i < kThreadSlotCount; i++) {
    if (now[i] == thread->shown_clock[i])
      continue;
    line << between << i << ',' << u32(now[i]);
    between = ",";
  }
  line << ']';
  internal_memcpy(thread->shown_clock, now, kBytes);
}

bool IsAddress(OperationKind kind) {
  return kind != OperationKind::kThreadExit && kind != OperationKind::kThreadJoin;
}

void WriteAccess(Line &line, const AtomicAccess &access) {
  line << ",\"size\":" << access.size << ",\"order\":" << access.order;
  if (access.reads)
    line << ",\"read\":" << access.read;
  if (access.writes)
    line << ",\"written\":" << access.written;
}

void WriteMop(const ReportMop &mop) {
  // With inlined functions a pc has several frames.
  for (const SymbolizedStack *frame = mop.stack ? mop.stack->frames : nullptr; frame;
       frame = frame->next)
    WriteCode(frame->info.address);
  Line line("\"access\":");
  line << u64(mop.addr) << ",\"tid\":" << u32(mop.tid) << ",\"size\":" << u32(mop.size)
       << ",\"write\":" << (mop.write ? "true" : "false")
       << ",\"atomic\":" << (mop.atomic ? "true" : "false") << ",\"pcs\":[";
  uptr last = 0;
  u32 frames = 0;
  for (const SymbolizedStack *frame = mop.stack ? mop.stack->frames : nullptr;
       frame && frames < kMostFrames; frame = frame->next) {
    if (frame->info.address == last)
      continue;
    last = frame->info.address;
    line << (frames++ ? "," : "") << u64(last);
  }
  line << ']';
}

} // namespace

void OpenExecution(const char *path) {
  file.Open("execution_file", path);
  writes_execution = true;
  AddDieCallback(CutExecution);
  SpinMutexLock lock(&mutex);
  Line line("\"heddle_execution\":");
  line << kVersion;
}

void CutExecution() {
  if (LIKELY(!writes_execution))
    return;
  SpinMutexLock lock(&mutex);
  file.Cut();
}

void AbandonExecution() { writes_execution = false; }

void OperationBegins(ControlledThread *thread) {
  ThreadState *thr = thread->thr;
  SpinMutexLock lock(&mutex);
  current = {};
  current.stack = CurrentStackId(thr, thread->pc);
  current.slot = u32(thr->fast_state.sid());
  current.epoch = u32(thr->fast_state.epoch());
  WriteClock(thread, thr);
}

void DescribeAccess(const AtomicAccess &access) {
  current.has_access = true;
  current.access = access;
}

void DescribeReadsFrom(const StoredValue &store, u32 newer) {
  current.has_store = true;
  current.store = store;
  current.newer = newer;
}

void DescribeChild(ThreadId child) {
  current.has_child = true;
  current.child = child;
}

void OperationEnds(const ControlledThread *thread, u64 tick) {
  const Operation &operation = thread->operation;
  SpinMutexLock lock(&mutex);
  WriteStack(current.stack);
  const bool is_address = operation.object && IsAddress(operation.kind);
  if (is_address && known_objects.Enter(operation.object))
    WritePlace("object", operation.object, operation.object);
  Line line("\"tick\":");
  line << tick << ",\"thread\":" << thread->id << ",\"kind\":\"" << NameOf(operation.kind)
       << "\",\"stack\":" << current.stack << ",\"slot\":" << current.slot
       << ",\"epoch\":" << current.epoch;
  if (is_address)
    line << ",\"object\":" << u64(operation.object);
  else if (operation.object)
    line << ",\"of\":" << u64(operation.object - 1);
  if (current.has_child)
    line << ",\"of\":" << current.child;
  if (!thread->productive && Writes(operation.kind))
    line << ",\"failed\":true";
  if (control->scheduler().StatusOf(thread->id) == __heddle::ThreadStatus::kBlocked)
    line << ",\"waits\":true";
  if (current.has_access)
    WriteAccess(line, current.access);
  if (!current.has_store)
    return;
  line << ",\"newer\":" << current.newer;
  if (current.store.epoch_bits)
    line << ",\"from\":" << u64(current.store.tick);
}

void WriteReport(ThreadState *thr, uptr pc, const char *what, const ReportDesc *report) {
  ControlledThread *thread = thr->heddle.Controlled();
  const u32 stack = CurrentStackId(thr, pc);
  SpinMutexLock lock(&mutex);
  if (thread)
    WriteClock(thread, thr);
  WriteStack(stack);
  {
    Line line("\"report\":");
    const ThreadState *own = thread ? thread->own : thr; // a fiber is no thread of the schedule
    line.Quote(what) << ",\"tick\":" << control->scheduler().Ticks() << ",\"tid\":" << u32(own->tid)
                     << ",\"stack\":" << stack;
  }
  for (uptr i = 0; report && i < report->mops.Size(); i++)
    WriteMop(*report->mops[i]);
}

} // namespace __heddle
