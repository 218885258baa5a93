// Reads what llvm-objdump -d --no-show-raw-insn prints.
#ifndef HEDDLE_LITMUS_COMPILE_DISASSEMBLY_H
#define HEDDLE_LITMUS_COMPILE_DISASSEMBLY_H

#include "../hardware/code.h"

#include <cstdint>
#include <map>
#include <string>

namespace heddle::litmus::compile {

// Where an instruction is, and its words.
struct Line {
  int size = 0;
  std::string text;
};

// All instructions by address. Data among the code (.word) is left out. A prefix that stands on a
// line of its own (x86's lock) belongs to the next. An instruction ends where the next line or its
// section does; `section_ends` has the ends by beginnings.
using Lines = std::map<uint64_t, Line>;
Lines ReadDisassembly(const std::string &text, const std::map<uint64_t, uint64_t> &section_ends);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_DISASSEMBLY_H
