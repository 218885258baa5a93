// heddle/demo/demo_codec.h as demo_zlib.cpp implements it.

#include "heddle/demo/demo_codec.h"

#include "demo_testing.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace {
using namespace __heddle;
using namespace testing_demo;

ByteVector Deflated(const ByteVector &bytes, Codec &codec) {
  ByteVector out(bytes.size() + 100);
  out.resize(Deflate(bytes.data(), bytes.size(), out.data(), out.size(), codec.Get()));
  return out;
}

bool Inflates(const ByteVector &bytes, uptr size, Codec &codec) {
  ByteVector out(size);
  return Inflate(bytes.data(), bytes.size(), out.data(), size, codec.Get());
}

ByteVector Sample(std::mt19937_64 &random, uptr size) {
  ByteVector bytes(size);
  u32 letters = 1 + random() % 256;
  for (u8 &byte : bytes)
    byte = u8(random() % letters);
  return bytes;
}

// Whatever the block held before, and with nothing taken from anywhere else.
TEST(DemoZlib, BackAndForth) {
  std::mt19937_64 random(1);
  Codec codec;
  uptr before = CountingMemory::live;
  for (int round = 0; round < 100; round++) {
    ByteVector bytes = Sample(random, random() % 100000);
    std::memset(codec.Get(), int(random()), kCodecMemory);
    ByteVector packed = Deflated(bytes, codec);
    ASSERT_FALSE(packed.empty());
    std::memset(codec.Get(), int(random()), kCodecMemory);
    ByteVector out(bytes.size());
    ASSERT_TRUE(Inflate(packed.data(), packed.size(), out.data(), out.size(), codec.Get()));
    ASSERT_EQ(out, bytes);
  }
  EXPECT_EQ(CountingMemory::live, before + kCodecMemory);
}

TEST(DemoZlib, TheSameBytesEachTime) {
  std::mt19937_64 random(2);
  ByteVector bytes = Sample(random, 50000);
  Codec one, other;
  std::memset(one.Get(), 0xff, kCodecMemory);
  EXPECT_EQ(Deflated(bytes, one), Deflated(bytes, other));
  EXPECT_EQ(Deflated(bytes, one), Deflated(bytes, other));
}

TEST(DemoZlib, NoRoom) {
  Codec codec;
  ByteVector bytes(10000), out(10000);
  uptr size = Deflate(bytes.data(), bytes.size(), out.data(), out.size(), codec.Get());
  ASSERT_NE(size, 0u);
  EXPECT_EQ(Deflate(bytes.data(), bytes.size(), out.data(), size + 1, codec.Get()), size);
  for (uptr capacity = 0; capacity <= size; capacity++)
    EXPECT_EQ(Deflate(bytes.data(), bytes.size(), out.data(), capacity, codec.Get()), 0u);
}

TEST(DemoZlib, ExactlyWhatWasDeflated) {
  std::mt19937_64 random(3);
  Codec codec;
  ByteVector bytes = Sample(random, 1000), packed = Deflated(bytes, codec);
  EXPECT_TRUE(Inflates(packed, 1000, codec));
  EXPECT_FALSE(Inflates(packed, 999, codec));
  EXPECT_FALSE(Inflates(packed, 1001, codec));
  ByteVector more = packed;
  more.push_back(0);
  EXPECT_FALSE(Inflates(more, 1000, codec));
  for (uptr size = 0; size < packed.size(); size++)
    EXPECT_FALSE(Inflates(ByteVector(packed.begin(), packed.begin() + size), 1000, codec));
}

TEST(DemoZlib, AnyBytes) {
  std::mt19937_64 random(4);
  Codec codec;
  for (int round = 0; round < 3000; round++) {
    ByteVector bytes(random() % 300);
    for (u8 &byte : bytes)
      byte = u8(random());
    Inflates(bytes, random() % 100000, codec);
  }
}

// The value that everyone gives as an example of CRC-32.
TEST(DemoZlib, Checksum) {
  const u8 *digits = reinterpret_cast<const u8 *>("123456789");
  EXPECT_EQ(Checksum(0, digits, 9), 0xcbf43926u);
  EXPECT_EQ(Checksum(Checksum(0, digits, 4), digits + 4, 5), 0xcbf43926u);
  EXPECT_EQ(Checksum(5, nullptr, 0), 5u);
}

} // namespace
