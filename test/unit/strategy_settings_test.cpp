// heddle/schedule/strategy_settings.h: what is taken, and what is said of the rest.

#include "heddle/schedule/strategy_settings.h"

#include <gtest/gtest.h>

#include <string>

namespace {
using namespace __heddle;

// What is wrong; empty if nothing is.
std::string Wrong(const StrategySettings &settings) {
  StrategyKind kind;
  StrategyOptions options;
  const char *wrong = ReadSettings(settings, kind, options);
  return wrong ? wrong : "";
}

TEST(StrategySettings, Defaults) {
  StrategyKind kind = StrategyKind::kUrw;
  StrategyOptions options, defaults;
  options.depth = 77;
  options.seed = 5;
  EXPECT_EQ(ReadSettings({}, kind, options), nullptr);
  EXPECT_EQ(kind, StrategyKind::kRandom);
  EXPECT_EQ(options.depth, defaults.depth);
  EXPECT_EQ(options.events, defaults.events);
  EXPECT_EQ(options.switch_probability.Scaled(), defaults.switch_probability.Scaled());
  EXPECT_EQ(options.seed, 5u); // none of its business
}

TEST(StrategySettings, Names) {
  for (u32 i = 0; i < kStrategyKinds; i++) {
    StrategyKind kind;
    ASSERT_TRUE(ParseStrategy(kStrategyNames[i], kind));
    EXPECT_EQ(kind, StrategyKind(i));
  }
  for (const char *name : {"", "rando", "randomly", "PCT", " pct"}) {
    StrategySettings settings;
    settings.strategy = name;
    EXPECT_EQ(Wrong(settings), "schedule must be one of random queue roundrobin pct pctwm pos urw");
  }
}

TEST(StrategySettings, OfPctwm) {
  StrategySettings settings;
  settings.strategy = "pctwm";
  settings.depth = 0;
  settings.history = 7;
  StrategyKind kind;
  StrategyOptions options;
  EXPECT_EQ(ReadSettings(settings, kind, options), nullptr);
  EXPECT_EQ(kind, StrategyKind::kPctwm);
  EXPECT_EQ(options.depth, 0u);
  EXPECT_EQ(options.history, 7u);
  settings.depth = 101;
  EXPECT_EQ(Wrong(settings), "schedule_depth must be 0 to 100");
  settings.depth = 1;
  settings.history = 0;
  EXPECT_EQ(Wrong(settings), "history_depth must be 1 to 1000000");
}

TEST(StrategySettings, Ranges) {
  for (long long depth : {1, 50, 100}) {
    StrategySettings settings;
    settings.depth = depth;
    EXPECT_EQ(Wrong(settings), "");
  }
  for (long long depth : {-1, 0, 101, 1 << 30}) {
    StrategySettings settings;
    settings.depth = depth;
    EXPECT_EQ(Wrong(settings), "schedule_depth must be 1 to 100");
  }
  for (long long events : {1ll, 1ll << 40}) {
    StrategySettings settings;
    settings.events = events;
    EXPECT_EQ(Wrong(settings), "");
  }
  for (long long events : {-5ll, 0ll, (1ll << 40) + 1}) {
    StrategySettings settings;
    settings.events = events;
    EXPECT_EQ(Wrong(settings), "schedule_events must be 1 to 1099511627776");
  }
}

TEST(StrategySettings, Probabilities) {
  struct Case {
    const char *text;
    u64 scaled;
  };
  constexpr u64 kOne = u64(1) << 32;
  for (const Case &c : {Case{"0", 0},
                        {"0.0", 0},
                        {"1", kOne},
                        {"1.", kOne},
                        {"1.000", kOne},
                        {"0.5", kOne / 2},
                        {".25", kOne / 4},
                        {"00.5", kOne / 2},
                        {"0.000000001", 4},
                        {"0.0000000009", 0},
                        {"0.99999999999999999999", u64((kOne * 0.999999999))},
                        {"0.", 0}}) {
    StrategySettings settings;
    settings.switch_probability = c.text;
    StrategyKind kind;
    StrategyOptions options;
    EXPECT_EQ(ReadSettings(settings, kind, options), nullptr) << c.text;
    EXPECT_EQ(options.switch_probability.Scaled(), c.scaled) << c.text;
  }
  for (const char *text : {"", ".", "-0.5", "1.1", "2", "1.0000000000001", "0.5x", "half", "1e-3",
                           "0..5", " 1", "99999999999999999999999"}) {
    StrategySettings settings;
    settings.switch_probability = text;
    EXPECT_EQ(Wrong(settings), "switch_probability must be 0 to 1, as in 0.25") << text;
  }
}

TEST(StrategySettings, AnErrorChangesNothing) {
  StrategySettings settings;
  settings.strategy = "pct";
  settings.depth = 7;
  settings.switch_probability = "no";
  StrategyKind kind = StrategyKind::kQueue;
  StrategyOptions options;
  EXPECT_NE(ReadSettings(settings, kind, options), nullptr);
  EXPECT_EQ(kind, StrategyKind::kQueue);
  EXPECT_EQ(options.depth, 3u);
}

TEST(StrategySettings, EventsAreEstimatedAsTheStrategyCountsThem) {
  EXPECT_EQ(EstimateEvents(StrategyKind::kPct, 20, 8), 20u);
  EXPECT_EQ(EstimateEvents(StrategyKind::kUrw, 20, 8), 20u);
  EXPECT_EQ(EstimateEvents(StrategyKind::kPctwm, 20, 8), 8u);
  for (u32 i = 0; i < kStrategyKinds; i++) {
    const StrategyKind kind = StrategyKind(i);
    for (u64 length : {u64(0), StrategyOptions::kMaxEvents, ~u64(0)}) {
      StrategySettings settings;
      settings.strategy = NameOf(kind);
      settings.events = (long long)EstimateEvents(kind, length, length);
      EXPECT_EQ(Wrong(settings), "");
    }
  }
}

} // namespace
