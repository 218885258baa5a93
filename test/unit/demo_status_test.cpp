// heddle/demo/demo_status.h: every error has words of its own.

#include "heddle/demo/demo_status.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {
using namespace __heddle;

TEST(DemoStatus, ExplainsEveryError) {
  std::set<std::string> sentences;
  for (u32 error = 0; error < kDemoErrors; error++)
    sentences.insert(ExplainDemoError(DemoError(error)));
  EXPECT_EQ(sentences.size(), kDemoErrors);
}

TEST(DemoStatus, WhatIsCutOffCanBeUsed) {
  EXPECT_TRUE(DemoStatus().Ok());
  EXPECT_TRUE(DemoStatus().Usable());
  EXPECT_FALSE((DemoStatus{DemoError::kTruncated, 0}).Ok());
  EXPECT_TRUE((DemoStatus{DemoError::kTruncated, 0}).Usable());
  EXPECT_FALSE((DemoStatus{DemoError::kDamaged, 0}).Usable());
}

} // namespace
