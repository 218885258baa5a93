// What llvm-objdump prints for each instruction set.

#include "heddle/litmus/compile/disassembly.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus::compile;

TEST(CompileDisassembly, InstructionsWithoutBytes) {
  const Lines lines = ReadDisassembly("\na.elf:\tfile format elf64-littleaarch64\n\n"
                                      "Disassembly of section .text:\n\n"
                                      "0000000000400150 <P0>:\n"
                                      "  400150:      \tadrp\tx0, 0x41f000\n"
                                      "  400154:      \tret\n",
                                      {{0x400150, 0x400158}});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines.at(0x400150).text, "adrp\tx0, 0x41f000");
  EXPECT_EQ(lines.at(0x400150).size, 4);
  EXPECT_EQ(lines.at(0x400154).text, "ret");
  EXPECT_EQ(lines.at(0x400154).size, 4);
}

TEST(CompileDisassembly, DataIsLeftOutButEndsAnInstruction) {
  const Lines lines = ReadDisassembly("   10100:      \tbx\tlr\n"
                                      "   10104: a0 10 00 00  \t.word\t0x000010a0\n"
                                      "   10108:      \tnop\n",
                                      {{0x10100, 0x1010c}});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines.at(0x10100).size, 4);
  EXPECT_EQ(lines.at(0x10108).text, "nop");
}

TEST(CompileDisassembly, PrefixBelongsToTheNext) {
  const Lines lines =
      ReadDisassembly("  201215:      \tlock\n"
                      "  201216:      \txaddl\t%eax, 0x102b(%rip)      # 0x202248 <y>\n"
                      "  20121d:      \tretq\n",
                      {{0x201215, 0x20121e}});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines.at(0x201215).text, "lock xaddl\t%eax, 0x102b(%rip)      # 0x202248 <y>");
  EXPECT_EQ(lines.at(0x201215).size, 8);
  EXPECT_EQ(lines.at(0x20121d).size, 1);
}

TEST(CompileDisassembly, SectionsEnd) {
  const Lines lines = ReadDisassembly("  1000:      \tret\n  2000:      \tret\n",
                                      {{0x1000, 0x1004}, {0x2000, 0x2002}});
  EXPECT_EQ(lines.at(0x1000).size, 4);
  EXPECT_EQ(lines.at(0x2000).size, 2);
}

TEST(CompileDisassembly, Nonsense) {
  EXPECT_TRUE(ReadDisassembly("", {}).empty());
  EXPECT_TRUE(ReadDisassembly("no address\n  :\n 12\n 12:\n 12:\t\n", {}).empty());
}

} // namespace
