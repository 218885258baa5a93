// heddle/demo/demo_meta.h: keys and values as text.

#include "heddle/demo/demo_meta.h"

#include "demo_testing.h"

#include <gtest/gtest.h>

#include <random>

namespace {
using namespace __heddle;
using namespace testing_demo;

using Writer = MetaWriter<CountingMemory>;
using Lines = std::vector<std::pair<std::string, std::string>>;

std::string Text(const Bytes &bytes) {
  return {reinterpret_cast<const char *>(bytes.Data()), bytes.Size()};
}

ByteSpan Span(const std::string &text) {
  return {reinterpret_cast<const u8 *>(text.data()), text.size()};
}

std::string ToString(const MetaValue &value) {
  std::string text(value.CopyTo(nullptr, 0), '\0');
  value.CopyTo(text.data(), text.size() + 1);
  return text;
}

Lines LinesOf(const MetaReader &reader) {
  Lines lines;
  for (MetaReader::Line line; reader.Next(line);)
    lines.push_back(
        {{reinterpret_cast<const char *>(line.key.data), line.key.size}, ToString(line.value)});
  return lines;
}

std::string Written(const Lines &lines) {
  Bytes bytes;
  Writer writer(bytes);
  for (const auto &[key, value] : lines)
    writer.Add(key.c_str(), value.data(), value.size());
  return Text(bytes);
}

DemoStatus Check(const std::string &text) {
  MetaReader reader;
  return reader.Open(Span(text));
}

TEST(DemoMeta, TheText) {
  Bytes bytes;
  Writer writer(bytes);
  writer.Add("program", "/bin/ls");
  writer.Add("argument", "two\nlines");
  writer.Add("argument", "");
  writer.Add("argument", "back\\slash \t\x7f\xc3\xa4");
  writer.Add("seed", ~u64(0));
  EXPECT_EQ(Text(bytes), "program /bin/ls\n"
                         "argument two\\nlines\n"
                         "argument \n"
                         "argument back\\\\slash \\x09\\x7f\xc3\xa4\n"
                         "seed 18446744073709551615\n");
}

TEST(DemoMeta, Finds) {
  std::string text = Written({{"a", "1"}, {"ab", "x y"}, {"a", "2"}, {"empty", ""}});
  MetaReader reader;
  ASSERT_TRUE(reader.Open(Span(text)).Ok());
  MetaValue value;
  ASSERT_TRUE(reader.Find("ab", value));
  EXPECT_TRUE(value == "x y");
  EXPECT_FALSE(value == "x");
  EXPECT_FALSE(value == "x yz");
  ASSERT_TRUE(reader.Find("a", value));
  EXPECT_TRUE(value == "1");
  ASSERT_TRUE(reader.Find("empty", value));
  EXPECT_TRUE(value == "");
  EXPECT_FALSE(reader.Find("b", value));
  EXPECT_FALSE(reader.Find("abc", value));
  EXPECT_FALSE(reader.Find("", value));
}

TEST(DemoMeta, Numbers) {
  std::string text = Written({{"zero", "0"},
                              {"most", "18446744073709551615"},
                              {"more", "18446744073709551616"},
                              {"word", "12a"},
                              {"none", ""},
                              {"minus", "-1"}});
  MetaReader reader;
  ASSERT_TRUE(reader.Open(Span(text)).Ok());
  u64 number = 7;
  for (const char *key : {"more", "word", "none", "minus", "absent"})
    EXPECT_FALSE(reader.Find(key, number)) << key;
  EXPECT_EQ(number, 7u);
  EXPECT_TRUE(reader.Find("zero", number));
  EXPECT_EQ(number, 0u);
  EXPECT_TRUE(reader.Find("most", number));
  EXPECT_EQ(number, ~u64(0));
}

TEST(DemoMeta, AnyBytes) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 500; round++) {
    Lines lines;
    for (int i = random() % 10; i; i--) {
      std::string key(1 + random() % kMaxMetaKey, 'k'), value(random() % 50, ' ');
      for (char &c : key)
        c = "abcz09_-."[random() % 9];
      for (char &c : value)
        c = char(random() % 3 ? random() % 40 : random());
      lines.push_back({key, value});
    }
    std::string text = Written(lines);
    MetaReader reader;
    ASSERT_TRUE(reader.Open(Span(text)).Ok());
    ASSERT_EQ(LinesOf(reader), lines);
  }
}

TEST(DemoMeta, CutToTheBuffer) {
  std::string text = Written({{"k", "a\nb"}});
  MetaReader reader;
  ASSERT_TRUE(reader.Open(Span(text)).Ok());
  MetaValue value;
  ASSERT_TRUE(reader.Find("k", value));
  char buffer[3];
  EXPECT_EQ(value.CopyTo(buffer, sizeof(buffer)), 3u);
  EXPECT_STREQ(buffer, "a\n");
}

TEST(DemoMeta, SaysWhatIsWrong) {
  EXPECT_TRUE(Check("").Ok());
  EXPECT_TRUE(Check("a b\n").Ok());
  EXPECT_TRUE(Check("a \n").Ok());
  EXPECT_TRUE(Check(std::string(kMaxMetaKey, 'a') + " b\n").Ok());
  std::string zero("a \0\n", 4);
  for (const std::string &bad :
       {std::string("a b"), std::string("a\n"), std::string("\n"), std::string(" b\n"),
        std::string("A b\n"), std::string("a\\ b\n"), std::string("a \\\n"), std::string("a \\y\n"),
        std::string("a \\x0\n"), std::string("a \\x0g\n"), std::string("a \\x0A\n"),
        std::string("a \\x0a\n"), std::string("a \\x41\n"), std::string("a \t\n"), zero,
        std::string(kMaxMetaKey + 1, 'a') + " b\n"}) {
    EXPECT_EQ(Check(bad).error, DemoError::kBadMeta) << bad;
    EXPECT_EQ(Check(bad).offset, 0u);
    EXPECT_EQ(Check("good line\n" + bad).offset, 10u);
  }
}

TEST(DemoMeta, AfterAnErrorThereIsNothing) {
  std::string good = "a b\n", bad = "a b\nc";
  MetaReader reader;
  ASSERT_TRUE(reader.Open(Span(good)).Ok());
  ASSERT_FALSE(reader.Open(Span(bad)).Ok());
  EXPECT_TRUE(LinesOf(reader).empty());
}

// What is accepted has exactly one text.
TEST(DemoMeta, ArbitraryText) {
  std::mt19937_64 random(2);
  int accepted = 0;
  for (int round = 0; round < 100000; round++) {
    std::string text(random() % 16, ' ');
    for (char &c : text)
      c = "ab \n\\nx01f\xff"[random() % 11];
    MetaReader reader;
    if (!reader.Open(Span(text)).Ok())
      continue;
    accepted++;
    ASSERT_EQ(Written(LinesOf(reader)), text);
  }
  EXPECT_GT(accepted, 1000);
}

TEST(DemoMetaDeathTest, WhatIsNoKey) {
  Bytes bytes;
  Writer writer(bytes);
  EXPECT_DEATH(writer.Add("", "value"), "");
  EXPECT_DEATH(writer.Add("two words", "value"), "");
  EXPECT_DEATH(writer.Add(std::string(kMaxMetaKey + 1, 'a').c_str(), "value"), "");
}

} // namespace
