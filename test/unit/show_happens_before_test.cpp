// utils/heddle/show/happens_before.h: from clocks to what is in an event's past.

#include "show_testing.h"

#include "heddle/show/happens_before.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::show;

TEST(ShowHappensBefore, ALockKnowsWhatCameBeforeTheUnlock) {
  const Execution execution = ReadExecution(show_testing::Locks());
  const HappensBefore order(execution);
  EXPECT_TRUE(order.Before(0, 1)); // creation
  EXPECT_TRUE(order.Before(0, 5)); // program order
  EXPECT_TRUE(order.Before(1, 2));
  EXPECT_TRUE(order.Before(2, 4)); // the clock of the lock is that of the next operation
  EXPECT_TRUE(order.Before(2, 5));
  EXPECT_FALSE(order.Before(3, 4)); // after the unlock
  EXPECT_FALSE(order.Before(3, 5)); // relaxed
  EXPECT_FALSE(order.Before(4, 2));
  EXPECT_FALSE(order.Before(5, 5));
  EXPECT_EQ(order.Last(0, 0), -1);
  EXPECT_EQ(order.Last(4, 1), 2);
}

TEST(ShowHappensBefore, EdgesAreDirect) {
  const Execution execution = ReadExecution(show_testing::Locks());
  const HappensBefore order(execution);
  ASSERT_EQ(order.Edges().size(), 2u);
  EXPECT_EQ(order.Edges()[0].from, 0u);
  EXPECT_EQ(order.Edges()[0].to, 1u);
  EXPECT_EQ(order.Edges()[1].from, 2u);
  EXPECT_EQ(order.Edges()[1].to, 4u);
}

// T1 knows of main's event 0 by way of T2 only: there is an edge from T2, none from main.
TEST(ShowHappensBefore, WhatComesByWayOfAnotherIsNoEdge) {
  Execution execution;
  auto add = [&](unsigned thread, std::vector<std::pair<unsigned, unsigned>> clock) {
    Event event;
    event.tick = execution.events.size();
    event.thread = thread;
    event.kind = "rmw";
    event.slot = thread;
    event.epoch = 1;
    event.clock = std::move(clock);
    execution.events.push_back(std::move(event));
  };
  add(0, {{0, 1}});
  add(2, {{2, 1}, {0, 1}});
  add(1, {{1, 1}, {0, 1}, {2, 1}});
  const HappensBefore order(execution);
  EXPECT_TRUE(order.Before(0, 2));
  ASSERT_EQ(order.Edges().size(), 2u);
  EXPECT_EQ(order.Edges()[1].from, 1u);
  EXPECT_EQ(order.Edges()[1].to, 2u);
}

TEST(ShowHappensBefore, AReportIsInNobodysPast) {
  const Execution execution = ReadExecution(show_testing::MessagePassing());
  const HappensBefore order(execution);
  EXPECT_TRUE(order.Before(5, 6));
  EXPECT_FALSE(order.Before(6, 5));
  EXPECT_FALSE(order.Before(2, 6)); // relaxed
  EXPECT_EQ(order.Last(6, 1), -1);
}

TEST(ShowHappensBefore, Nothing) {
  const Execution execution;
  EXPECT_TRUE(HappensBefore(execution).Edges().empty());
}

} // namespace
