// heddle/choice/divergence.h: which questions are the same, and a divergence in
// words, for each kind of choice, at the extremes and in a buffer that is too short.

#include "heddle/choice/divergence.h"

#include "choice_testing.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>

namespace {
using namespace __heddle;
using namespace testing_choice;

constexpr auto T = ChoiceKind::kThread;
constexpr auto R = ChoiceKind::kRead;

std::string Words(const Divergence &divergence) {
  std::string text(FormatDivergence(divergence, nullptr, 0), '\0');
  EXPECT_EQ(FormatDivergence(divergence, text.data(), text.size() + 1), text.size());
  return text;
}

TEST(Question, SameKindAndOptions) {
  EXPECT_TRUE((Question{T, 2}) == (Question{T, 2}));
  EXPECT_TRUE((Question{T, 2}) != (Question{R, 2}));
  EXPECT_TRUE((Question{T, 2}) != (Question{T, 3}));
  EXPECT_FALSE((Question{T, 2}) != (Question{T, 2}));
  EXPECT_FALSE((Question{T, 2}) == (Question{R, 3}));
}

// No options are no question: the kind, which is left over, says nothing.
TEST(Question, TheEndHasNoKind) {
  for (ChoiceKind kind : kKinds) {
    EXPECT_TRUE((Question{kind, 0}).IsEnd());
    EXPECT_TRUE((Question{kind, 0}) == kTheEnd);
    EXPECT_TRUE(kTheEnd == (Question{kind, 0}));
    EXPECT_FALSE((Question{kind, 2}).IsEnd());
    EXPECT_TRUE((Question{kind, 2}) != kTheEnd);
    EXPECT_TRUE(kTheEnd != (Question{kind, 2}));
  }
}

TEST(Divergence, OtherKind) {
  EXPECT_EQ(Words({7, {T, 3}, {R, 2}}), "choice 7: expected a choice of thread with 3 options, "
                                        "found a choice of read with 2 options");
}

TEST(Divergence, OtherNumberOfOptions) {
  EXPECT_EQ(Words({12, {R, 2}, {R, 10}}), "choice 12: expected a choice of read with 2 options, "
                                          "found a choice of read with 10 options");
}

TEST(Divergence, TheLogEnds) {
  EXPECT_EQ(Words({1, kTheEnd, {T, 2}}),
            "choice 1: expected the end of the run, found a choice of thread with 2 options");
}

TEST(Divergence, TheRunEnds) {
  EXPECT_EQ(Words({1, {T, 2}, kTheEnd}),
            "choice 1: expected a choice of thread with 2 options, found the end of the run");
}

TEST(Divergence, NamesEachKind) {
  constexpr struct {
    ChoiceKind kind;
    const char *name;
  } kNames[] = {{ChoiceKind::kThread, "thread"},    {ChoiceKind::kRead, "read"},
                {ChoiceKind::kWake, "wake-up"},     {ChoiceKind::kSpurious, "spurious failure"},
                {ChoiceKind::kTimeout, "time-out"}, {ChoiceKind::kValue, "value"},
                {ChoiceKind::kPlace, "place"}};
  EXPECT_EQ(std::size(kNames), kChoiceKinds);
  for (const auto &[kind, name] : kNames) {
    std::string choice = "a choice of " + std::string(name) + " with 2 options";
    EXPECT_EQ(Words({0, {kind, 2}, kTheEnd}),
              "choice 0: expected " + choice + ", found the end of the run");
    EXPECT_EQ(Words({0, kTheEnd, {kind, 2}}),
              "choice 0: expected the end of the run, found " + choice);
  }
}

TEST(Divergence, LargestNumbers) {
  EXPECT_EQ(Words({~u64(0), {T, ~u32(0)}, kTheEnd}),
            "choice 18446744073709551615: expected a choice of thread with 4294967295 options, "
            "found the end of the run");
}

// As snprintf: always terminated, nothing behind the capacity touched, and the length
// is that of all of it.
TEST(Divergence, IsCutToTheBuffer) {
  Divergence divergence = {7, {T, 3}, {R, 2}};
  std::string whole = Words(divergence);
  for (uptr capacity = 0; capacity <= whole.size() + 2; capacity++) {
    std::string buffer(whole.size() + 4, '#');
    EXPECT_EQ(FormatDivergence(divergence, buffer.data(), capacity), whole.size());
    uptr written = 0;
    if (capacity > 0) {
      std::string kept = whole.substr(0, capacity - 1);
      EXPECT_STREQ(buffer.c_str(), kept.c_str());
      written = kept.size() + 1;
    }
    EXPECT_EQ(buffer.substr(written), std::string(buffer.size() - written, '#'));
  }
}

} // namespace
