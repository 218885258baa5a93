// Machine code to be executed: what the reader of objects and the reader of
// assembly litmus tests make, and what an instruction set executes.
#ifndef HEDDLE_LITMUS_HARDWARE_CODE_H
#define HEDDLE_LITMUS_HARDWARE_CODE_H

#include "trace.h"

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::litmus::hardware {

// As a disassembler (llvm-objdump) or a litmus test writes it, in lower case.
struct Instruction {
  uint64_t address = 0;
  int size = 4;
  std::string mnemonic;              // "ldr", "ldr.w", "amoadd.w.aq", "lock xaddl"
  std::vector<std::string> operands; // split at commas outside of brackets and braces
  std::string text;                  // the whole, for people
};

// Bytes that code may read: literal pools, tables, variables of a library.
struct Segment {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
};

// A variable of the test at a fixed address.
struct Variable {
  uint64_t address = 0;
  int location = -1; // a shared location, or
  int result = -1;   // the observed register of the thread that it stands for
  int size = 4;      // in bytes
  bool is_signed = true;
};

// A linked program, or the columns of an assembly litmus test.
struct Image {
  Architecture architecture = Architecture::kAArch64;
  std::map<uint64_t, Instruction> code;
  std::vector<Segment> data;
  std::vector<Variable> variables;
  std::map<std::string, uint64_t> symbols; // functions, variables, labels
  // Whether a store-exclusive may fail for no reason: see Execute.
  bool exclusives_may_fail = false;
};

// Where a thread begins, and what its registers hold.
struct Entry {
  uint64_t address = 0;
  uint64_t end = 0; // litmus tests: the thread ends here; 0: when its function returns
  std::map<std::string, uint64_t> registers;
  // Litmus tests: the registers whose values at the end are observed, as
  // Trace::registers. Otherwise those come from variables with a `result`.
  std::vector<std::string> observed;
};

// An instruction that is not known, or used in a way that is not: names it.
struct UnknownInstruction : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An access to all of a shared location, and to more, or to its beginning.
struct OtherWidth : std::runtime_error {
  OtherWidth(const std::string &what, int location, int size, uint64_t instruction)
      : runtime_error(what), location(location), size(size), instruction(instruction) {}
  int location, size;
  uint64_t instruction; // its address
};

// All paths from `entry`, with each load of a shared location returning each of
// the values it may have. Store-exclusives succeed unless the image says otherwise: an
// iteration of a retry loop that fails only adds reads, which only adds constraints on the
// rest, and so can be left out without losing an outcome. That is so in compilers' code; a
// litmus test may look at what follows the failure. A path that comes back to where it was
// with nothing changed but that is cut for the same reason. Throws
// UnknownInstruction and OtherWidth, and std::runtime_error for a path that does not end.
std::vector<Trace> Execute(const Image &image, const Entry &entry, const Values &values);

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_CODE_H
