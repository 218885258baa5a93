// utils/heddle/show/execution.h: the format of execution_file=.

#include "show_testing.h"

#include "heddle/hunt/failure.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::show;

TEST(ShowExecution, ReadsWhatTheRuntimeWrites) {
  const Execution execution = ReadExecution(show_testing::MessagePassing());
  ASSERT_EQ(execution.events.size(), 7u);
  EXPECT_EQ(execution.Threads(), 2u);
  EXPECT_EQ(execution.NameOf(0), "main");
  EXPECT_EQ(execution.NameOf(1), "T1");
  const Event &create = execution.events[0], &load = execution.events[5];
  EXPECT_EQ(create.kind, "thread-create");
  EXPECT_EQ(create.of, 1u);
  EXPECT_EQ(create.clock, (std::vector<std::pair<unsigned, unsigned>>{{0, 1}}));
  EXPECT_FALSE(create.order);
  EXPECT_EQ(load.read, 0u);
  EXPECT_FALSE(load.written);
  EXPECT_TRUE(load.IsStale());
  EXPECT_FALSE(load.from); // the initial value
  EXPECT_FALSE(execution.events[4].IsStale());
  EXPECT_EQ(execution.events[4].from, 3u);
  EXPECT_TRUE(execution.events[6].IsReport());
  EXPECT_EQ(execution.events[6].report->what, "failed assertion");
  EXPECT_EQ(execution.stacks.at(7), std::vector<uint64_t>{100});
  EXPECT_EQ(execution.code.at(100).offset, 16u);
  EXPECT_EQ(execution.objects.at(4096).module, "/bin/mp");
}

TEST(ShowExecution, RacesHaveAccesses) {
  const Execution execution = ReadExecution(
      "{\"heddle_execution\":1}\n{\"thread\":3,\"tid\":4}\n"
      "{\"report\":\"data race\",\"tick\":6,\"tid\":4,\"stack\":0}\n"
      "{\"access\":64,\"tid\":4,\"size\":8,\"write\":true,\"atomic\":false,\"pcs\":[1,2]}\n"
      "{\"access\":64,\"tid\":9,\"size\":8,\"write\":false,\"atomic\":true,\"pcs\":[]}\n"
      "{\"something new\":1}\n");
  ASSERT_EQ(execution.events.size(), 1u);
  EXPECT_EQ(execution.events[0].thread, 3u);
  const std::vector<RacingAccess> &accesses = execution.events[0].report->accesses;
  ASSERT_EQ(accesses.size(), 2u);
  EXPECT_EQ(accesses[0].pcs.size(), 2u);
  EXPECT_TRUE(accesses[1].atomic);
  EXPECT_EQ(execution.NameOf(3), "T4");
  EXPECT_FALSE(execution.ThreadOf(9));
}

TEST(ShowExecution, AKilledProcessLeavesAPart) {
  const std::string text = show_testing::MessagePassing();
  for (size_t length = text.find('\n') + 1; length < text.size(); length++)
    EXPECT_LE(ReadExecution(text.substr(0, length)).events.size(), 7u);
}

TEST(ShowExecution, RoomBehindTheLastLineIsNoLine) {
  std::string text = show_testing::MessagePassing();
  text.append(1000, 0);
  EXPECT_EQ(ReadExecution(text).events.size(), 7u);
}

TEST(ShowExecution, RefusesOthers) {
  using heddle::hunt::Failure;
  EXPECT_THROW(ReadExecution(""), Failure);
  EXPECT_THROW(ReadExecution("{\"heddle_execution\":2}\n"), Failure);
  EXPECT_THROW(ReadExecution("nothing\n"), Failure);
  EXPECT_THROW(ReadExecution("{\"heddle_execution\":1}\n{\"tick\":1}\n"), Failure);
  EXPECT_THROW(ReadExecution("{\"heddle_execution\":1}\n{\"tick\":\"x\"}\n"), Failure);
}

TEST(ShowExecution, TheLastEventsKnowWhatCameBefore) {
  Execution execution = ReadExecution(show_testing::MessagePassing());
  execution.KeepLast(3);
  ASSERT_EQ(execution.events.size(), 3u);
  EXPECT_EQ(execution.left_out, 4u);
  EXPECT_EQ(execution.events[0].clock,
            (std::vector<std::pair<unsigned, unsigned>>{{0, 1}, {0, 2}}));
  execution.KeepLast(3);
  EXPECT_EQ(execution.left_out, 4u);
}

// Threads that have no event for a while still know what they knew.
TEST(ShowExecution, WhatIsLeftOutWhileItIsReadIsTheSame) {
  std::string text = "{\"heddle_execution\":1}\n{\"clock\":1,\"changes\":[5,6]}\n";
  auto add = [&](unsigned tick, unsigned thread) {
    text += "{\"clock\":" + std::to_string(thread) + ",\"changes\":[" + std::to_string(thread) +
            "," + std::to_string(tick + 1) + "]}\n{\"tick\":" + std::to_string(tick) +
            ",\"thread\":" + std::to_string(thread) +
            ",\"kind\":\"yield\",\"stack\":0,\"slot\":" + std::to_string(thread) +
            ",\"epoch\":1}\n";
  };
  add(0, 1);
  for (unsigned tick = 1; tick < 40; tick++)
    add(tick, 0);
  add(40, 1);
  const Execution kept = ReadExecution(text, 3);
  Execution all = ReadExecution(text);
  all.KeepLast(3);
  ASSERT_EQ(kept.events.size(), 3u);
  EXPECT_EQ(kept.left_out, all.left_out);
  const auto &clock = kept.events[2].clock;
  const std::map<unsigned, unsigned> newest(clock.rbegin(), clock.rend());
  EXPECT_EQ(newest, (std::map<unsigned, unsigned>{{1, 41}, {5, 6}}));
  EXPECT_EQ(all.events[2].clock.size(), clock.size());
}

// The file may be anyone's.
TEST(ShowExecution, HostileOnesAreRefused) {
  const auto with = [](const std::string &line) {
    return "{\"heddle_execution\":1}\n" + line + "\n";
  };
  const std::string rest = ",\"kind\":\"load\x1b[2J\",\"stack\":0,\"slot\":0,\"epoch\":1}";
  for (const std::string &line :
       {std::string("{\"stack\":1}"), std::string("{\"pc\":1}"), std::string("{\"object\":1}"),
        std::string("{\"tid\":1}"), std::string("{\"clock\":4000000000,\"changes\":[]}"),
        "{\"tick\":1,\"thread\":4000000000" + rest})
    EXPECT_THROW(ReadExecution(with(line)), heddle::hunt::Failure) << line;
  EXPECT_EQ(ReadExecution(with("{\"tick\":1,\"thread\":0" + rest)).events[0].kind, "load\\x1b[2J");
}

} // namespace
