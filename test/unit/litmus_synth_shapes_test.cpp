// The shapes of tests: each once, and none that can have no minimal test.

#include "heddle/litmus/synth_shapes.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {
using namespace heddle::litmus;
using Kind = WholeExecution::Kind;

std::string Text(const Shape &shape) {
  std::string text;
  size_t e = 0;
  for (int size : shape.sizes) {
    text += text.empty() ? "" : "|";
    for (int i = 0; i < size; i++, e++) {
      text += "RWUF"[static_cast<int>(shape.events[e].kind)];
      if (shape.events[e].location >= 0)
        text += static_cast<char>('x' + shape.events[e].location);
    }
  }
  return text;
}

TEST(LitmusSynthShapes, OfTwoEvents) {
  std::vector<std::string> texts;
  for (const Shape &shape : Shapes({2, 2, 1, true}))
    texts.push_back(Text(shape));
  EXPECT_EQ(texts, (std::vector<std::string>{"Wx|Wx", "Wx|Rx", "Wx|Ux", "Rx|Ux"}));
}

TEST(LitmusSynthShapes, EachOnce) {
  std::set<std::string> texts;
  for (const Shape &shape : Shapes({4, 2, 1, true}))
    EXPECT_TRUE(texts.insert(Text(shape)).second) << Text(shape);
  EXPECT_TRUE(texts.count("WxWy|RyRx"));
  // The same with other names.
  EXPECT_FALSE(texts.count("WxWy|RxRy") && texts.count("RxRy|WxWy"));
  EXPECT_FALSE(texts.count("RyRx|WxWy"));
  // Locations of one thread, or that nobody writes, and fences at the ends.
  EXPECT_FALSE(texts.count("WxRy|WxRx"));
  EXPECT_FALSE(texts.count("WxRy|RyRx"));
  EXPECT_FALSE(texts.count("WxRxF|Wx"));
  EXPECT_TRUE(texts.count("WxFRx|Wx"));
}

TEST(LitmusSynthShapes, Symmetries) {
  for (const Shape &shape : Shapes({4, 2, 0, false})) {
    if (Text(shape) == "WxRy|WyRx") {
      // Of SB: the threads change places.
      ASSERT_EQ(shape.symmetries.size(), 1u);
      EXPECT_EQ(shape.symmetries[0], (std::vector<int>{2, 3, 0, 1}));
    }
    if (Text(shape) == "WxWy|RyRx")
      EXPECT_TRUE(shape.symmetries.empty());
  }
}

TEST(LitmusSynthShapes, Limits) {
  for (const Shape &shape : Shapes({5, 3, 2, false})) {
    EXPECT_GE(shape.sizes.size(), 3u);
    int rmws = 0;
    for (const Shape::Event &event : shape.events) {
      rmws += event.kind == Kind::kRmw;
      EXPECT_NE(event.kind, Kind::kFence);
    }
    EXPECT_LE(rmws, 2);
  }
}

} // namespace
