// heddle/demo/demo_bytes.h: numbers as bytes, each in one way.

#include "heddle/demo/demo_bytes.h"

#include "demo_testing.h"

#include <gtest/gtest.h>

#include <random>

namespace {
using namespace __heddle;
using namespace testing_demo;

ByteVector Encoded(u64 number) {
  Bytes bytes;
  PushNumber(bytes, number);
  return ToVector(bytes);
}

TEST(DemoBytes, Numbers) {
  EXPECT_EQ(Encoded(0), (ByteVector{0}));
  EXPECT_EQ(Encoded(127), (ByteVector{0x7f}));
  EXPECT_EQ(Encoded(128), (ByteVector{0x80, 1}));
  EXPECT_EQ(Encoded(~u64(0)), (ByteVector{255, 255, 255, 255, 255, 255, 255, 255, 255, 1}));
  std::mt19937_64 random(1);
  for (int round = 0; round < 10000; round++) {
    u64 number = random() >> random() % 64;
    ByteVector bytes = Encoded(number);
    ByteReader reader(bytes.data(), bytes.size());
    ASSERT_EQ(reader.Number(), number);
    ASSERT_TRUE(reader.Ok() && reader.AtEnd());
  }
}

TEST(DemoBytes, SignedNumbers) {
  for (s64 number :
       {s64(0), s64(-1), s64(1), s64(-64), s64(63), s64(~u64(0) >> 1), s64(u64(1) << 63)}) {
    Bytes bytes;
    PushSigned(bytes, number);
    ByteReader reader(bytes.Data(), bytes.Size());
    EXPECT_EQ(reader.Signed(), number);
    EXPECT_TRUE(reader.Ok());
    EXPECT_EQ(bytes.Size() == 1, number >= -64 && number <= 63);
  }
}

TEST(DemoBytes, CountsUp) {
  Bytes bytes;
  bytes.Push(9);
  bytes.Push(0);
  for (u64 number = 0; number < 40000; number++) {
    ByteReader reader(bytes.Data() + 1, bytes.Size() - 1);
    ASSERT_EQ(reader.Number(), number);
    ASSERT_TRUE(reader.Ok() && reader.AtEnd());
    CountUp(bytes, 1);
  }
  EXPECT_EQ(bytes[0], 9);
}

TEST(DemoBytes, WhatIsNoNumber) {
  ByteVector largest = Encoded(~u64(0)), too_large = largest, too_long = largest;
  too_large.back() = 2;
  too_long.back() = 0x81;
  too_long.push_back(0);
  for (const ByteVector &bytes : {ByteVector{}, ByteVector{0x80}, ByteVector{0x80, 0},
                                  ByteVector{0xff, 0x80, 0}, too_large, too_long}) {
    ByteReader reader(bytes.data(), bytes.size());
    EXPECT_EQ(reader.Number(), 0u);
    EXPECT_FALSE(reader.Ok());
  }
}

TEST(DemoBytes, Limits) {
  ByteVector bytes = {5, 6, 3, 'a', 'b', 'c', 3, 'a', 'b'};
  ByteReader reader(bytes.data(), bytes.size());
  EXPECT_EQ(reader.Number(5), 5u);
  EXPECT_EQ(reader.Number(6), 6u);
  EXPECT_EQ(ToVector(reader.Bytes(3)), (ByteVector{'a', 'b', 'c'}));
  EXPECT_TRUE(reader.Ok());
  EXPECT_EQ(reader.Bytes(3).size, 0u); // not all there
  EXPECT_FALSE(reader.Ok());

  ByteReader number(bytes.data(), bytes.size());
  EXPECT_EQ(number.Number(4), 0u);
  EXPECT_FALSE(number.Ok());
  ByteReader span(bytes.data() + 2, 4);
  EXPECT_EQ(span.Bytes(2).size, 0u);
  EXPECT_FALSE(span.Ok());
}

TEST(DemoBytes, AfterAnErrorThereIsNothing) {
  ByteVector bytes = {0x80, 0, 7, 7};
  ByteReader reader(bytes.data(), bytes.size());
  reader.Number();
  EXPECT_EQ(reader.Byte(), 0);
  EXPECT_EQ(reader.Number(), 0u);
  EXPECT_EQ(reader.Bytes(9).size, 0u);
  EXPECT_FALSE(reader.Ok());
  EXPECT_TRUE(reader.AtEnd());
}

} // namespace
