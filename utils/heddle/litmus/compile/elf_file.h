// What is to be known of a linked program before it is executed on paper: its symbols, and what
// its memory holds at the start. ELF of 32 and 64 bits, little endian, for any machine.
#ifndef HEDDLE_LITMUS_COMPILE_ELF_FILE_H
#define HEDDLE_LITMUS_COMPILE_ELF_FILE_H

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus::compile {

struct ElfError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ElfSymbol {
  uint64_t address = 0; // of Arm's functions without the bit that says Thumb
  uint64_t size = 0;
  bool is_function = false;
};

struct ElfSection {
  uint64_t address = 0;
  bool is_code = false;
  std::vector<uint8_t> bytes; // zeroes where the file has none
};

struct ElfFile {
  int machine = 0;
  std::map<std::string, ElfSymbol> symbols; // those that are defined and have a name
  std::vector<ElfSection> sections;         // those that are in memory
};

// Throws ElfError for what is no such file, or is damaged.
ElfFile ReadElf(std::string_view bytes);

} // namespace heddle::litmus::compile

#endif // HEDDLE_LITMUS_COMPILE_ELF_FILE_H
