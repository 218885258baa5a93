// utils/heddle/hunt/elf.h: whose runtime a program has. The tests in test/heddle have real ones.

#include "heddle/hunt/elf.h"
#include "heddle/hunt/files.h"

#include <gtest/gtest.h>

#include <cstring>

#include <elf.h>

namespace {
using namespace heddle::hunt;

// A program with a table of one symbol.
std::string ProgramWith(const std::string &symbol, const std::string &other, bool defined = true) {
  const std::string names = std::string(1, '\0') + symbol + '\0' + other + '\0';
  Elf64_Sym symbols[2] = {};
  symbols[0].st_name = 1;
  symbols[1].st_name = Elf64_Word(symbol.size() + 2);
  symbols[0].st_shndx = symbols[1].st_shndx = defined ? 1 : SHN_UNDEF;
  Elf64_Shdr sections[2] = {};
  Elf64_Ehdr head = {};
  memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
#if defined(__x86_64__)
  head.e_machine = EM_X86_64;
#else
  head.e_machine = EM_AARCH64;
#endif
  head.e_shnum = 2;
  head.e_shoff = sizeof(head);
  sections[0].sh_type = SHT_DYNSYM;
  sections[0].sh_link = 1;
  sections[0].sh_offset = sizeof(head) + sizeof(sections);
  sections[0].sh_size = sizeof(symbols);
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = sections[0].sh_offset + sizeof(symbols);
  sections[1].sh_size = names.size();
  std::string bytes(reinterpret_cast<const char *>(&head), sizeof(head));
  bytes.append(reinterpret_cast<const char *>(sections), sizeof(sections));
  bytes.append(reinterpret_cast<const char *>(symbols), sizeof(symbols));
  return bytes + names;
}

TEST(HuntElf, TellsRuntimesApart) {
  EXPECT_EQ(RuntimeInImage(ProgramWith("__tsan_init", "__heddle_explore")), RuntimeKind::kHeddle);
  EXPECT_EQ(RuntimeInImage(ProgramWith("__tsan_init", "cnd_timedwait")), RuntimeKind::kStock);
  EXPECT_EQ(RuntimeInImage(ProgramWith("__tsan_init", "x")), RuntimeKind::kStock);
  EXPECT_EQ(RuntimeInImage(ProgramWith("__heddle_explore", "x")), RuntimeKind::kNone);
  EXPECT_EQ(RuntimeInImage(ProgramWith("__tsan_init", "__heddle_explore", false)),
            RuntimeKind::kNone);
}

TEST(HuntElf, OtherFiles) {
  EXPECT_EQ(RuntimeInImage("#!/bin/sh\n"), RuntimeKind::kScript);
  EXPECT_EQ(RuntimeInImage(""), RuntimeKind::kNoProgram);
  EXPECT_EQ(RuntimeInImage("\x7f"
                           "ELF"),
            RuntimeKind::kNoProgram);
  EXPECT_EQ(RuntimeInImage("hello, this is text, and more of it than the head of a program has"),
            RuntimeKind::kNoProgram);
  std::string other = ProgramWith("__tsan_init", "x");
  other[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(RuntimeInImage(other), RuntimeKind::kForeign);
}

// Nothing is read beyond the end: AddressSanitizer watches.
TEST(HuntElf, CutOffAnywhere) {
  const std::string whole = ProgramWith("__tsan_init", "__heddle_explore");
  for (size_t length = 0; length < whole.size(); length++)
    RuntimeInImage(whole.substr(0, length));
  for (size_t at = 0; at < whole.size(); at++) {
    std::string damaged = whole;
    damaged[at] = char(0xff);
    RuntimeInImage(damaged);
  }
}

// A program with one note.
std::string ProgramWithNote(const std::string &owner, const std::string &content) {
  Elf64_Ehdr head = {};
  memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  head.e_phnum = 1;
  head.e_phoff = sizeof(head);
  Elf64_Nhdr note = {Elf64_Word(owner.size()), Elf64_Word(content.size()), NT_GNU_BUILD_ID};
  Elf64_Phdr segment = {};
  segment.p_type = PT_NOTE;
  segment.p_offset = sizeof(head) + sizeof(segment);
  segment.p_filesz = sizeof(note) + owner.size() + content.size();
  std::string bytes(reinterpret_cast<const char *>(&head), sizeof(head));
  bytes.append(reinterpret_cast<const char *>(&segment), sizeof(segment));
  bytes.append(reinterpret_cast<const char *>(&note), sizeof(note));
  return bytes + owner + content;
}

TEST(HuntElf, BuildId) {
  const std::string owner("GNU\0", 4), program = ProgramWithNote(owner, "\x01\xab\xcd\xef");
  EXPECT_EQ(BuildIdInImage(program), "01abcdef");
  // Without one it is a checksum, and of what is no program there is none.
  EXPECT_EQ(BuildIdInImage(ProgramWithNote("Go__", "\x01")).compare(0, 6, "crc32-"), 0);
  for (size_t size = 0; size < program.size(); size++)
    EXPECT_NE(BuildIdInImage(program.substr(0, size)), "01abcdef");
  EXPECT_EQ(BuildIdInImage("#!/bin/sh\n"), "");
  EXPECT_EQ(BuildIdOf("/none"), "");
  EXPECT_EQ(BuildIdOf("/dev/zero"), "");
}

} // namespace
