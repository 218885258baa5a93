// heddle/demo/demo_environment.h: variables that need care are known by their names.

#include "heddle/demo/demo_environment.h"

#include <gtest/gtest.h>

namespace {
using namespace __heddle;

TEST(DemoEnvironment, WhatDecidesWhatRuns) {
  for (const char *variable :
       {"LD_PRELOAD=x", "LD_LIBRARY_PATH=", "PATH=/x", "PATH", "ASAN_OPTIONS=log_path=x",
        "TSAN_SYMBOLIZER_PATH=/x", "GCONV_PATH=/x", "PYTHONPATH=/x", "BASH_ENV=/x"})
    EXPECT_TRUE(DecidesWhatRuns(variable)) << variable;
  for (const char *variable : {"HOME=/x", "MY_PATH=/x", "PATHS=/x", "OPTIONS=1", "LANG=C", "=x", "",
                               "A=LD_PRELOAD=x", "GTEST_FILTER=*"})
    EXPECT_FALSE(DecidesWhatRuns(variable)) << variable;
}

TEST(DemoEnvironment, WhatLooksSecret) {
  for (const char *variable :
       {"GITHUB_TOKEN=x", "aws_secret_access_key=x", "DB_PASSWORD=x", "SSH_KEY=x",
        "CI_JOB_JWT_TOKEN=", "DATABASE_URL=postgres://user:pass@host/db", "A=x http://a:b@c"})
    EXPECT_TRUE(LooksSecret(variable)) << variable;
  for (const char *variable : {"HOME=/x", "KEYBOARD=de", "PWD=/x", "OLDPWD=/x", "A=TOKEN",
                               "URL=https://host:80/a@b", "URL=https://user@host/", "", "="})
    EXPECT_FALSE(LooksSecret(variable)) << variable;
}

} // namespace
