#include "elf_file.h"

#include "../../hunt/elf_image.h"

#include <cstring>

#include <elf.h>

namespace heddle::litmus::compile {
namespace {

// The same structures in two widths.
struct Elf32 {
  using Header = Elf32_Ehdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
};
struct Elf64 {
  using Header = Elf64_Ehdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
};

// No program of litmus tests is larger, and a damaged size must not take all memory.
constexpr uint64_t kMaxSection = 64 << 20;

// What is not there is an error.
class Reader {
public:
  explicit Reader(std::string_view bytes) : image_(bytes) {}

  template <class T> T At(uint64_t offset) const {
    return Expect(image_.At<T>(offset), offset, sizeof(T));
  }
  std::string_view Part(uint64_t offset, uint64_t size) const {
    return Expect(image_.Part(offset, size), offset, size);
  }

private:
  template <class T> T Expect(std::optional<T> found, uint64_t offset, uint64_t size) const {
    if (found)
      return *found;
    throw ElfError("the program ends in the middle of what its headers name; expected " +
                   std::to_string(size) + " bytes at offset " + std::to_string(offset) +
                   ", found a file of " + std::to_string(image_.Size()));
  }

  hunt::ElfImage image_;
};

template <class Elf>
void ReadSymbols(const Reader &reader, const typename Elf::Section &table, std::string_view names,
                 ElfFile *file) {
  using Symbol = typename Elf::Symbol;
  for (uint64_t at = 0; at + sizeof(Symbol) <= table.sh_size; at += sizeof(Symbol)) {
    const auto symbol = reader.At<Symbol>(table.sh_offset + at);
    const std::string name(hunt::NameAt(names, symbol.st_name));
    if (symbol.st_shndx == SHN_UNDEF || name.empty())
      continue;
    ElfSymbol &result = file->symbols[name];
    result.is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
    result.address = symbol.st_value;
    if (file->machine == EM_ARM && result.is_function)
      result.address &= ~uint64_t{1};
    result.size = symbol.st_size;
  }
}

template <class Elf>
void ReadSection(const Reader &reader, const typename Elf::Section &section, ElfFile *file) {
  if (!(section.sh_flags & SHF_ALLOC) || section.sh_size == 0)
    return;
  if (section.sh_size > kMaxSection)
    throw ElfError("a section of the program has " + std::to_string(section.sh_size) + " bytes");
  ElfSection &result = file->sections.emplace_back();
  result.address = section.sh_addr;
  result.is_code = section.sh_flags & SHF_EXECINSTR;
  if (section.sh_type == SHT_NOBITS) {
    result.bytes.resize(section.sh_size);
    return;
  }
  std::string_view bytes = reader.Part(section.sh_offset, section.sh_size);
  result.bytes.assign(bytes.begin(), bytes.end());
}

template <class Elf> ElfFile Read(const Reader &reader) {
  using Section = typename Elf::Section;
  const auto head = reader.At<typename Elf::Header>(0);
  ElfFile file;
  file.machine = head.e_machine;
  auto section_at = [&](uint64_t index) {
    return reader.At<Section>(head.e_shoff + index * sizeof(Section));
  };
  for (unsigned i = 0; i < head.e_shnum; i++) {
    const Section section = section_at(i);
    ReadSection<Elf>(reader, section, &file);
    if (section.sh_type != SHT_SYMTAB)
      continue;
    const Section names = section_at(section.sh_link);
    ReadSymbols<Elf>(reader, section, reader.Part(names.sh_offset, names.sh_size), &file);
  }
  return file;
}

} // namespace

ElfFile ReadElf(std::string_view bytes) {
  if (bytes.size() < EI_NIDENT || memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
    throw ElfError("expected an ELF file, found something else: did the compiler write it?");
  if (bytes[EI_DATA] != ELFDATA2LSB)
    throw ElfError("expected a program for a little-endian machine, found another");
  const Reader reader(bytes);
  if (bytes[EI_CLASS] == ELFCLASS64)
    return Read<Elf64>(reader);
  if (bytes[EI_CLASS] == ELFCLASS32)
    return Read<Elf32>(reader);
  throw ElfError("expected an ELF file of 32 or 64 bits, found neither");
}

} // namespace heddle::litmus::compile
