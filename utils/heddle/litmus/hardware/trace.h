// What a thread of machine code may do: the border between instruction sets,
// which make traces, and hardware memory models, which say which traces of
// several threads fit together.
//
// A trace is one path through a thread's code in which every load has returned
// some value. Nothing in it depends on other threads. The values that loads may
// return are guessed from the values that are written (see Values), so that a
// model only has to find, for each read, a write of the same value.
#ifndef HEDDLE_LITMUS_HARDWARE_TRACE_H
#define HEDDLE_LITMUS_HARDWARE_TRACE_H

#include "../program.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::litmus::hardware {

enum class Architecture {
  kAArch64,
  kArm, // Armv7 and AArch32, with A32 and T32 code
  kRiscV,
  kX86,
};

// A fence by what it orders. A model ignores none: what it does not know is an
// error of whoever made the trace.
enum class Fence {
  kNone,
  kArmFull,     // dmb sy, dmb ish, dsb ish
  kArmLoad,     // dmb ishld, dsb ishld: what precedes is loads only (AArch64, Armv8 AArch32)
  kArmStore,    // dmb ishst
  kArmStoreDsb, // dsb ishst: what precedes is stores only, what follows is all
  kArmIsb,
  kRiscV,    // fence pred,succ: see Event::before and after
  kRiscVTso, // fence.tso
  kRiscVI,   // fence.i
  kX86Full,  // mfence
};

// Ordering that an access itself carries, as bits.
enum AccessFlag : uint32_t {
  kAcquire = 1 << 0,   // ldar, ldaxr, ldadda, lda; .aq
  kAcquirePc = 1 << 1, // ldapr
  kRelease = 1 << 2,   // stlr, stlxr, ldaddl, stl; .rl
  kExclusive = 1 << 3, // half of a load-linked, store-conditional pair
  kAtomic = 1 << 4,    // half of a single instruction that reads and writes (LSE, AMO, lock)
  // The read of an atomic instruction that returns nothing (stadd, or ldadd to wzr):
  // AArch64 does not order it as a load.
  kNoReturn = 1 << 5,
};

// For Fence::kRiscV: the kinds of accesses on a side.
enum AccessKind : uint8_t { kReads = 1, kWrites = 2 };

struct Event {
  enum class Kind { kRead, kWrite, kFence };
  Kind kind = Kind::kFence;
  int location = -1; // of HardwareProgram::locations; -1 for a fence
  Value value = 0;   // read or written, sign-extended from 32 bits
  uint32_t flags = 0;
  Fence fence = Fence::kNone;
  uint8_t before = 0, after = 0; // Fence::kRiscV
  int instruction = -1;          // of the thread's code, in the order it was executed
  std::string text;              // the instruction, for people
};

// From an event to a later one of the same trace, by index.
using Edges = std::vector<std::pair<int, int>>;

struct Trace {
  std::vector<Event> events; // in program order
  // On RISC-V, what a store-conditional returns depends on its write: these three
  // may lead from a write, then.
  Edges addr; // from a read to an access whose address depends on it
  Edges data; // from a read to a write whose value depends on it
  Edges ctrl; // from a read to all events after a branch that depends on it
  // From the read to the write of an atomic instruction, or of a successful pair
  // of exclusives.
  Edges rmw;
  // The thread's observed registers at the end, as Program::Thread::registers.
  std::vector<Value> registers;
};

// The values that a load of a location may return.
using Values = std::vector<std::set<Value>>;

// All traces of a thread whose loads return these values.
using ThreadTraces = std::function<std::vector<Trace>(const Values &)>;

struct HardwareProgram {
  std::string name;
  std::vector<Location> locations;
  std::vector<std::vector<Trace>> threads; // by thread, its traces
  std::vector<Observable> observed;
};

// Makes `program->threads` from code. The values of loads are what is written in
// any trace: from the initial values on, again and again until there are no new
// ones, or as often as there are writes in the longest traces together. A value
// that needs a longer chain would depend on itself.
void MakeTraces(const std::vector<ThreadTraces> &threads, HardwareProgram *program);

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_TRACE_H
