// heddle/demo/demo_flags.h: what a demo may set, and nothing else.

#include "heddle/demo/demo_flags.h"

#include <gtest/gtest.h>

#include <string>

namespace {
using namespace __heddle;

TEST(DemoFlags, WhatARecordingWritesIsTaken) {
  EXPECT_EQ(FindForeignFlag(""), nullptr);
  EXPECT_EQ(FindForeignFlag("schedule=random seed=7"), nullptr);
  EXPECT_EQ(FindForeignFlag("schedule=pct seed=7 switch_probability=0.5 weak_memory=mograph"),
            nullptr);
}

TEST(DemoFlags, FilesAreNotNamed) {
  for (const char *name : {"schedule_log", "schedule_trace", "execution_file", "record_demo",
                           "play_demo", "log_path", "suppressions", "profile_memory", "seeds", ""})
    EXPECT_NE(FindForeignFlag(("schedule=random " + std::string(name) + "=x").c_str()), nullptr)
        << name;
}

TEST(DemoFlags, NothingIsHiddenInAValue) {
  for (const char *flags :
       {"seed=1:log_path=x", "seed=1,log_path=x", "seed='1", "seed=\"1 2\"", "seed=1\tlog_path=x",
        "seed", "=1", "seed=1  schedule=random", "seed=/x"})
    EXPECT_NE(FindForeignFlag(flags), nullptr) << flags;
}

} // namespace
