// utils/heddle/hunt/needed_environment.h: a demo keeps the variables without which it does not
// play.

#include "heddle/hunt/demo_info.h"
#include "heddle/hunt/files.h"
#include "heddle/hunt/meta_file.h"
#include "heddle/hunt/needed_environment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace {
using namespace heddle::hunt;
using Variables = std::vector<std::string>;

class HuntNeededEnvironment : public testing::Test {
protected:
  void Record(const Variables &variables) {
    MetaFile meta;
    meta.id = 7;
    meta.lines = {{"build", "1"}, {"argument", "./q"}};
    for (const std::string &variable : variables)
      meta.lines.push_back({kMetaEnvironment, variable});
    meta.lines.push_back({"options-size", "4096"});
    WriteMetaFile(Demo(), meta);
  }
  std::string Demo() const { return place_.Path(); }
  Variables Recorded() const { return ReadDemoInfo(Demo()).environment; }
  bool Has(const std::string &variable) const {
    const Variables now = Recorded();
    return std::find(now.begin(), now.end(), variable) != now.end();
  }
  // Returns how often it was asked.
  int Trim(const std::function<bool()> &plays) {
    int asked = 0;
    KeepNeededEnvironment(Demo(), [&] {
      asked++;
      return plays();
    });
    return asked;
  }

  TemporaryDirectory place_;
};

TEST_F(HuntNeededEnvironment, WhatIsNotNeededIsBlankedAndAsLong) {
  Record({"HOME=/home/me", "EMPTY=", "none", "=odd", "A=b=c"});
  EXPECT_EQ(Trim([] { return true; }), 1);
  EXPECT_EQ(Recorded(), (Variables{"____=xxxxxxxx", "_____=", "____", "=xxx", "_=xxx"}));
  for (const std::string &variable : Recorded())
    EXPECT_TRUE(IsBlanked(variable)) << variable;
  EXPECT_FALSE(IsBlanked("HOME=xxx"));
}

TEST_F(HuntNeededEnvironment, PartsOfTheDemoToo) {
  Record({"HOME=/home/me"});
  MetaFile part = ReadMetaFile(Demo());
  const std::string path = Demo() + "/child-0-1/exec";
  MakeDirectories(path);
  part.lines.push_back({kMetaEnvironment, "SECRET=1234"});
  WriteMetaFile(path, part);
  EXPECT_EQ(Trim([] { return true; }), 1);
  EXPECT_EQ(Recorded(), (Variables{"____=xxxxxxxx"}));
  EXPECT_EQ(ReadDemoInfo(path).environment, (Variables{"____=xxxxxxxx", "______=xxxx"}));
}

TEST_F(HuntNeededEnvironment, NothingElseIsChanged) {
  Record({"HOME=/home/me"});
  MetaFile before = ReadMetaFile(Demo());
  Trim([] { return true; });
  const MetaFile after = ReadMetaFile(Demo());
  before.lines[2].value = after.lines[2].value;
  EXPECT_EQ(after.id, before.id);
  EXPECT_EQ(after.until, before.until);
  EXPECT_EQ(after.last, before.last);
  ASSERT_EQ(after.lines.size(), before.lines.size());
  for (size_t i = 0; i < after.lines.size(); i++) {
    EXPECT_EQ(after.lines[i].key, before.lines[i].key);
    EXPECT_EQ(after.lines[i].value, before.lines[i].value);
  }
}

TEST_F(HuntNeededEnvironment, WhatIsNeededIsFoundAmongMany) {
  Variables variables;
  for (int i = 0; i < 30; i++)
    variables.push_back("V" + std::to_string(i) + "=" + std::to_string(i * i));
  for (int needed = 0; needed < 30; needed++) {
    Record(variables);
    EXPECT_LE(Trim([&] { return Has(variables[needed]); }), 11);
    const Variables now = Recorded();
    for (int i = 0; i < 30; i++)
      EXPECT_EQ(IsBlanked(now[i]), i != needed) << now[i];
  }
}

TEST_F(HuntNeededEnvironment, TwoThatAreNeeded) {
  const Variables variables = {"A=1", "B=2", "C=3", "D=4", "E=5"};
  Record(variables);
  Trim([&] { return Has("B=2") && Has("E=5"); });
  EXPECT_EQ(Recorded(), (Variables{"_=x", "B=2", "_=x", "_=x", "E=5"}));
}

TEST_F(HuntNeededEnvironment, WhatNeverPlaysKeepsAll) {
  Variables variables;
  for (int i = 0; i < 300; i++)
    variables.push_back("V" + std::to_string(i) + "=1");
  Record(variables);
  EXPECT_LE(Trim([] { return false; }), 30);
  EXPECT_EQ(Recorded(), variables);
}

TEST_F(HuntNeededEnvironment, WhatIsPrintedStaysTheSame) {
  const Variables kept = {"LANG=C.UTF-8",       "LC_ALL=C", "TZ=UTC",
                          "LD_LIBRARY_PATH=/x", "PWD=/x",   "TSAN_SYMBOLIZER_PATH=/x"};
  Record(kept);
  EXPECT_EQ(Trim([] { return true; }), 0);
  EXPECT_EQ(Recorded(), kept);
}

} // namespace
