// utils/heddle/hunt/catalog.h: what is seen again is counted, and folded.

#include "heddle/hunt/catalog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {
using namespace heddle::hunt;

Observation Seen(const std::string &raw_key) {
  Observation observation;
  observation.raw_key = raw_key;
  return observation;
}

Finding Called(const std::string &name, const std::string &key) {
  Finding finding;
  finding.name = name;
  finding.key = key;
  return finding;
}

TEST(HuntCatalog, CountsAndFolds) {
  Catalog catalog;
  EXPECT_TRUE(catalog.See(Seen("a"), 0));
  EXPECT_FALSE(catalog.See(Seen("a"), 1)); // while somebody looks into it
  EXPECT_EQ(catalog.Size(), 0u);
  EXPECT_TRUE(catalog.Add(Called("A", "key"), "a"));
  EXPECT_FALSE(catalog.See(Seen("a"), 2));
  // Another place, but the same to people.
  EXPECT_TRUE(catalog.See(Seen("b"), 3));
  EXPECT_FALSE(catalog.Add(Called("B", "key"), "b"));
  EXPECT_FALSE(catalog.See(Seen("b"), 4));
  EXPECT_TRUE(catalog.See(Seen("c"), 4));
  EXPECT_TRUE(catalog.Add(Called("C", "other"), "c"));
  std::vector<Finding> all = catalog.All();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "A");
  EXPECT_EQ(all[0].executions, 5u);
  EXPECT_EQ(all[1].executions, 1u);
  Finding replayed = Called("A", "key");
  replayed.replays = 3;
  replayed.executions = 77;
  catalog.Replace(replayed);
  EXPECT_EQ(catalog.All()[0].replays, 3u);
  EXPECT_EQ(catalog.All()[0].executions, 5u);
}

TEST(HuntCatalog, AnExecutionCountsOnceForAFinding) {
  Catalog catalog;
  for (uint64_t execution = 0; execution < 10; execution++)
    for (const char *raw_key : {"a", "b", "a"})
      catalog.See(Seen(raw_key), execution);
  EXPECT_TRUE(catalog.Add(Called("A", "key"), "a"));
  for (uint64_t execution = 8; execution < 12; execution++)
    for (const char *raw_key : {"b", "a"})
      catalog.See(Seen(raw_key), execution);
  EXPECT_EQ(catalog.All()[0].executions, 12u);
  EXPECT_FALSE(catalog.Add(Called("B", "key"), "b"));
  EXPECT_EQ(catalog.All()[0].executions, 12u);
  catalog.See(Seen("b"), 12);
  EXPECT_EQ(catalog.All()[0].executions, 13u);
}

TEST(HuntCatalog, OneThreadLooksIntoIt) {
  Catalog catalog;
  std::atomic<int> looked{0};
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 4; i++)
    threads.emplace_back([&, i] {
      for (int j = 0; j < 100; j++)
        if (catalog.See(Seen(std::to_string(j)), i)) {
          looked++;
          catalog.Add(Called(std::to_string(j), std::to_string(j)), std::to_string(j));
        }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(looked, 100);
  for (const Finding &finding : catalog.All())
    EXPECT_EQ(finding.executions, 4u);
}

} // namespace
