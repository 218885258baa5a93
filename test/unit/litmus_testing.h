// What tests of litmus tests share: a program from its text.
#ifndef HEDDLE_TEST_LITMUS_TESTING_H
#define HEDDLE_TEST_LITMUS_TESTING_H

#include "heddle/litmus/parser.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::litmus {

inline Program Parsed(const std::string &text) {
  Program program;
  ParseError error;
  EXPECT_TRUE(Parse(text, "test", &program, &error)) << error.ToString();
  return program;
}

} // namespace heddle::litmus

#endif // HEDDLE_TEST_LITMUS_TESTING_H
