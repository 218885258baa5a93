// Programs as bytes, made here: symbols and memory of both widths, and files that are damaged.

#include "heddle/litmus/compile/elf_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include <elf.h>

namespace {
using namespace heddle::litmus::compile;

template <class T> std::string Bytes(const T &value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof(value));
}

struct Width32 {
  using Header = Elf32_Ehdr;
  using Section = Elf32_Shdr;
  using Symbol = Elf32_Sym;
  static constexpr int kClass = ELFCLASS32;
};
struct Width64 {
  using Header = Elf64_Ehdr;
  using Section = Elf64_Shdr;
  using Symbol = Elf64_Sym;
  static constexpr int kClass = ELFCLASS64;
};

// A program with code at 0x1000, zeroes at 0x2000, a function P0 and a variable x.
template <class Width> std::string MakeProgram(int machine, uint64_t function) {
  typename Width::Symbol none{}, p0{}, x{};
  const std::string names("\0P0\0x\0", 6);
  p0.st_name = 1;
  p0.st_value = function;
  p0.st_size = 4;
  p0.st_info = STT_FUNC;
  p0.st_shndx = 1;
  x.st_name = 4;
  x.st_value = 0x2000;
  x.st_info = STT_OBJECT;
  x.st_shndx = 2;
  const std::string symbols = Bytes(none) + Bytes(p0) + Bytes(x), code = "code";
  typename Width::Header head{};
  memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = Width::kClass;
  head.e_ident[EI_DATA] = ELFDATA2LSB;
  head.e_machine = machine;
  head.e_shnum = 5;
  typename Width::Section sections[5] = {};
  uint64_t at = sizeof(head);
  auto place = [&](int number, int type, uint64_t size) {
    sections[number].sh_type = type;
    sections[number].sh_offset = at;
    sections[number].sh_size = size;
    at += type == SHT_NOBITS ? 0 : size;
  };
  place(1, SHT_PROGBITS, code.size());
  sections[1].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  sections[1].sh_addr = 0x1000;
  place(2, SHT_NOBITS, 8);
  sections[2].sh_flags = SHF_ALLOC | SHF_WRITE;
  sections[2].sh_addr = 0x2000;
  place(3, SHT_SYMTAB, symbols.size());
  sections[3].sh_link = 4;
  place(4, SHT_STRTAB, names.size());
  head.e_shoff = at;
  std::string bytes = Bytes(head) + code + symbols + names;
  for (const auto &section : sections)
    bytes += Bytes(section);
  return bytes;
}

template <class Width> void ExpectProgram(int machine) {
  const ElfFile file = ReadElf(MakeProgram<Width>(machine, 0x1000));
  EXPECT_EQ(file.machine, machine);
  ASSERT_EQ(file.symbols.size(), 2u);
  EXPECT_EQ(file.symbols.at("P0").address, 0x1000u);
  EXPECT_EQ(file.symbols.at("P0").size, 4u);
  EXPECT_TRUE(file.symbols.at("P0").is_function);
  EXPECT_EQ(file.symbols.at("x").address, 0x2000u);
  EXPECT_FALSE(file.symbols.at("x").is_function);
  ASSERT_EQ(file.sections.size(), 2u);
  EXPECT_TRUE(file.sections[0].is_code);
  EXPECT_EQ(std::string(file.sections[0].bytes.begin(), file.sections[0].bytes.end()), "code");
  EXPECT_FALSE(file.sections[1].is_code);
  EXPECT_EQ(file.sections[1].bytes, std::vector<uint8_t>(8, 0));
}

TEST(CompileElf, BothWidths) {
  ExpectProgram<Width64>(EM_AARCH64);
  ExpectProgram<Width32>(EM_ARM);
}

TEST(CompileElf, ThumbFunctionsAreWhereTheirCodeIs) {
  EXPECT_EQ(ReadElf(MakeProgram<Width32>(EM_ARM, 0x1001)).symbols.at("P0").address, 0x1000u);
  // Elsewhere the bit is part of the address.
  EXPECT_EQ(ReadElf(MakeProgram<Width32>(EM_386, 0x1001)).symbols.at("P0").address, 0x1001u);
}

TEST(CompileElf, WhatIsNoProgram) {
  EXPECT_THROW(ReadElf(""), ElfError);
  EXPECT_THROW(ReadElf("#!/bin/sh and more than sixteen letters"), ElfError);
  std::string big_endian = MakeProgram<Width64>(EM_AARCH64, 0x1000);
  big_endian[EI_DATA] = ELFDATA2MSB;
  EXPECT_THROW(ReadElf(big_endian), ElfError);
  std::string other_class = MakeProgram<Width64>(EM_AARCH64, 0x1000);
  other_class[EI_CLASS] = 7;
  EXPECT_THROW(ReadElf(other_class), ElfError);
}

TEST(CompileElf, CutOffAnywhere) {
  const std::string whole = MakeProgram<Width64>(EM_AARCH64, 0x1000);
  for (size_t size = 0; size < whole.size(); size++)
    EXPECT_THROW(ReadElf(whole.substr(0, size)), ElfError) << size;
}

TEST(CompileElf, DamagedAnywhere) {
  const std::string whole = MakeProgram<Width64>(EM_AARCH64, 0x1000);
  for (size_t at = 0; at < whole.size(); at++) {
    std::string damaged = whole;
    damaged[at] = char(0xff);
    try {
      ReadElf(damaged);
    } catch (const ElfError &) {
      // Either is fine; what is not is reading beyond the end, which the sanitizers see.
    }
  }
}

} // namespace
