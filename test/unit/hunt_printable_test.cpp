// utils/heddle/hunt/printable.h: no terminal obeys what comes from a file.

#include "heddle/hunt/printable.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::hunt;

TEST(HuntPrintable, TextStays) {
  EXPECT_EQ(Printable("data race at a.cpp:7 (\"x\\y\")"), "data race at a.cpp:7 (\"x\\y\")");
  EXPECT_EQ(Printable("Größe … 日本 😀"), "Größe … 日本 😀");
}

TEST(HuntPrintable, WhatATerminalObeysIsEscaped) {
  EXPECT_EQ(Printable("\033]0;x\007"), "\\x1b]0;x\\x07");
  EXPECT_EQ(Printable("a\nb\tc\x7f"), "a\\x0ab\\x09c\\x7f");
  EXPECT_EQ(Printable("\xc2\x9b"), "\\xc2\\x9b");          // a control character beyond ASCII
  EXPECT_EQ(Printable("\xe2\x80\xae"), "\\xe2\\x80\\xae"); // right to left from here
  EXPECT_EQ(Printable("\xff\xc3"), "\\xff\\xc3");          // no UTF-8
  EXPECT_EQ(Printable(std::string_view("\0", 1)), "\\x00");
}

TEST(HuntPrintable, LinesMayStay) { EXPECT_EQ(PrintableLines("a\n\tb\r"), "a\n\tb\\x0d"); }

} // namespace
