// utils/heddle/show/line.h: a line of an execution.

#include "heddle/show/line.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::show;

Line Read(std::string_view text) {
  Line line;
  line.Read(text);
  return line;
}

TEST(ShowLine, Values) {
  const std::string text =
      R"({"a":1,"b":"x \"y\" \\ z","c":[1,22,333],"d":true,"e":false,"f":18446744073709551615})";
  const Line line = Read(text);
  EXPECT_EQ(line.Number("a"), 1u);
  EXPECT_EQ(line.Small("a"), 1u);
  EXPECT_EQ(line.Text("b"), "x \"y\" \\ z");
  EXPECT_EQ(line.Numbers("c"), (std::vector<uint64_t>{1, 22, 333}));
  EXPECT_TRUE(line.Truth("d"));
  EXPECT_FALSE(line.Truth("e"));
  EXPECT_EQ(line.Number("f"), UINT64_MAX);
  EXPECT_FALSE(line.Has("g"));
  EXPECT_FALSE(line.NumberIf("g"));
  EXPECT_EQ(line.NumberIf("a"), 1u);
  EXPECT_THROW(line.Small("f"), DamagedLine);
  EXPECT_THROW(line.Number("b"), DamagedLine);
  EXPECT_THROW(line.Number("g"), DamagedLine);
  EXPECT_THROW(line.Text("a"), DamagedLine);
  EXPECT_THROW(line.Numbers("a"), DamagedLine);
  EXPECT_EQ(Read(R"({"a":[]})").Numbers("a"), std::vector<uint64_t>());
  EXPECT_THROW(Read(R"({"a":[1,]})").Numbers("a"), DamagedLine);
  EXPECT_THROW(Read(R"({"a":18446744073709551616})").Number("a"), DamagedLine);
}

TEST(ShowLine, PassesOverWhatIsNew) {
  const std::string text = R"({"x":{"y":[1,{"z":"}"}]},"w":-1.5e3,"v":null,"a":[[1],[2]],"b":7})";
  const Line line = Read(text);
  EXPECT_EQ(line.Number("b"), 7u);
  EXPECT_THROW(line.Number("w"), DamagedLine);
  EXPECT_THROW(line.Numbers("a"), DamagedLine);
}

TEST(ShowLine, Damaged) {
  for (const char *text :
       {"", "{", "{}", "{\"a\"}", "{\"a\":}", "{\"a\":1", "{\"a\":1}}", "{\"a\":\"x}", "{\"a\":1,}",
        "[1]", "{a:1}", "{\"a\":\"\\", "{\"a\":[1}"})
    EXPECT_THROW(Read(text), DamagedLine) << text;
}

// Nothing is read beyond the end: AddressSanitizer watches.
TEST(ShowLine, CutOffAnywhere) {
  const std::string whole = R"({"tick":2,"kind":"st\"ore","pcs":[1,2],"x":{"y":1}})";
  for (size_t length = 0; length < whole.size(); length++) {
    const std::string part = whole.substr(0, length);
    EXPECT_THROW(Read(part), DamagedLine) << part;
  }
}

} // namespace
