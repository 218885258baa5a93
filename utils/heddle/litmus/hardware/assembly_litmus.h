// Reads litmus tests in herd's assembly format, for AArch64, ARM, RISCV, X86 and X86_64.
//
//     AArch64 MP+dmb.sy+addr
//     "a comment"
//     { 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; int x=0; }
//      P0          | P1               ;
//      MOV W0,#1   | LDR W0,[X1]      ;
//      STR W0,[X1] | EOR W2,W0,W0     ;
//      DMB SY      | LDR W4,[X3,W2,SXTW] ;
//      STR W0,[X3] |                  ;
//     exists (1:X0=1 /\ 1:X4=0)
//
// Departures from herd, so that a test means one thing only: all accesses to a location are as
// wide as its type says, or without a type as wide as the first; and labels belong to their
// thread. A register is spelled
// as the test spells it, a symbolic one with its '%'. `(x)` with the name of a location is its
// address in X86_64.
#ifndef HEDDLE_LITMUS_HARDWARE_ASSEMBLY_LITMUS_H
#define HEDDLE_LITMUS_HARDWARE_ASSEMBLY_LITMUS_H

#include "../parser.h"
#include "code.h"
#include "model.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus::hardware {

// A column: its own image, since its labels are its own.
struct AssemblyThread {
  Image image;
  Entry entry;
  std::map<uint64_t, Position> positions; // of the instructions, in the file
};

struct AssemblyTest {
  Architecture architecture = Architecture::kAArch64;
  // Name, locations, condition and what is observed. The threads have registers, the
  // observed ones, and no statements.
  Program program;
  std::vector<AssemblyThread> threads;
  std::vector<bool> typed; // by location: its width is given
};

// Whether the first word of a file is an architecture.
bool IsAssemblyTest(std::string_view text);

// Returns false, with the first error, if `text` is no such test.
bool ParseAssembly(std::string_view text, const std::string &file, AssemblyTest *test,
                   ParseError *error);

// Executes the code. Throws what Execute throws; an UnknownInstruction begins with its
// place, "LINE:COLUMN: ", where that is known.
HardwareProgram MakeHardwareProgram(const AssemblyTest &test);

// What a test's file says about itself, in a comment:
//
//     (* expected: Forbidden, 3 states *)
//
// Forbidden: no state satisfies the condition's proposition. The number of states may
// be left out.
struct AssemblyExpectation {
  bool allowed = false;
  std::optional<size_t> states;
};

// Nothing, with an error, if there is no such comment, or it is malformed.
std::optional<AssemblyExpectation>
ParseAssemblyExpectation(std::string_view text, const std::string &file, ParseError *error);

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_ASSEMBLY_LITMUS_H
