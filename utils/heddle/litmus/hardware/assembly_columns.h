// The code of an assembly litmus test: rows and columns of text, and what each cell is.
#ifndef HEDDLE_LITMUS_HARDWARE_ASSEMBLY_COLUMNS_H
#define HEDDLE_LITMUS_HARDWARE_ASSEMBLY_COLUMNS_H

#include "../parser.h"
#include "code.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus::hardware {

// Where things are: nowhere that the stack of Execute is.
constexpr uint64_t kCodeAddress = 0x10000;
inline uint64_t LocationAddress(size_t location) { return 0x1000000 + 64 * location; }

struct Columns {
  Architecture architecture = Architecture::kAArch64;
  bool intel = false;                 // x86: in the syntax of herd's X86
  std::vector<std::string> locations; // known; x86 adds those that `(x)` names
  std::vector<Image> threads;         // code and labels
  // By thread, where an instruction stands in the file.
  std::vector<std::map<uint64_t, Position>> positions;
  // By thread, which register each "%name" of its code is.
  std::vector<std::map<std::string, std::string>> symbolic;
  size_t end = 0; // the offset behind the code
};

// Reads the table that begins at `offset` of `text`, at `position`. Fills the rest of
// `error` and returns false if there is none.
bool ReadColumns(std::string_view text, size_t offset, Position position, Columns *columns,
                 ParseError *error);

std::string LowerCase(std::string_view text);

// By its name in lower case.
bool IsRegister(Architecture architecture, const std::string &name);

// Whether "%name" is a register that is to be chosen. In x86's syntax it is the name's own.
inline bool HasSymbolicRegisters(Architecture architecture) {
  return architecture != Architecture::kX86;
}

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_ASSEMBLY_COLUMNS_H
