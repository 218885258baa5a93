#include "sha256.h"

#include <array>
#include <cstdint>

namespace heddle::hunt {
namespace {

constexpr size_t kBlock = 64;

// The first 32 bits of the fractional part of a root, which is how the standard defines its
// constants: of the square roots of the first 8 primes and of the cube roots of the first 64. They
// are computed with integers: the largest r with r^degree <= prime * 2^(32 * degree).
constexpr uint32_t RootBits(unsigned prime, unsigned degree) {
  using Wide = unsigned __int128;
  uint64_t root = 0;
  for (int bit = 35; bit >= 0; bit--) {
    const uint64_t trial = root | uint64_t(1) << bit;
    // Both sides have at most 108 bits.
    const Wide power = degree == 2 ? Wide(trial) * trial : Wide(trial) * trial * trial;
    if (power <= Wide(prime) << (32 * degree))
      root = trial;
  }
  return uint32_t(root);
}

template <size_t kCount> constexpr std::array<uint32_t, kCount> Roots(unsigned degree) {
  std::array<uint32_t, kCount> roots{};
  unsigned candidate = 2;
  for (size_t i = 0; i < kCount; candidate++) {
    bool prime = true;
    for (unsigned divisor = 2; divisor * divisor <= candidate; divisor++)
      prime = prime && candidate % divisor;
    if (prime)
      roots[i++] = RootBits(candidate, degree);
  }
  return roots;
}

constexpr auto kStart = Roots<8>(2);
constexpr auto kRounds = Roots<64>(3);

uint32_t Rotate(uint32_t word, unsigned by) { return word >> by | word << (32 - by); }

void AddBlock(const uint8_t *block, std::array<uint32_t, 8> *state) {
  uint32_t words[64];
  for (size_t i = 0; i < 16; i++)
    words[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 |
               uint32_t(block[4 * i + 2]) << 8 | block[4 * i + 3];
  for (size_t i = 16; i < 64; i++) {
    const uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (Rotate(a, 7) ^ Rotate(a, 18) ^ a >> 3) + words[i - 7] +
               (Rotate(b, 17) ^ Rotate(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = *state;
  for (size_t i = 0; i < 64; i++) {
    const uint32_t first = h + (Rotate(e, 6) ^ Rotate(e, 11) ^ Rotate(e, 25)) +
                           ((e & f) ^ (~e & g)) + kRounds[i] + words[i];
    const uint32_t second =
        (Rotate(a, 2) ^ Rotate(a, 13) ^ Rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first;
    d = c, c = b, b = a, a = first + second;
  }
  const std::array<uint32_t, 8> added = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < added.size(); i++)
    (*state)[i] += added[i];
}

} // namespace

std::string Sha256(std::string_view message) {
  std::array<uint32_t, 8> state = kStart;
  const auto *bytes = reinterpret_cast<const uint8_t *>(message.data());
  const size_t whole = message.size() / kBlock * kBlock;
  for (size_t at = 0; at < whole; at += kBlock)
    AddBlock(bytes + at, &state);
  std::string end(message.substr(whole));
  end += char(0x80);
  while (end.size() % kBlock != kBlock - 8)
    end += '\0';
  for (int shift = 56; shift >= 0; shift -= 8)
    end += char(uint64_t(message.size()) * 8 >> shift);
  for (size_t at = 0; at < end.size(); at += kBlock)
    AddBlock(reinterpret_cast<const uint8_t *>(end.data()) + at, &state);
  std::string digest;
  for (const uint32_t word : state)
    for (int shift = 24; shift >= 0; shift -= 8)
      digest += char(word >> shift);
  return digest;
}

std::string HmacSha256(std::string_view key, std::string_view message) {
  std::string padded(key.size() > kBlock ? Sha256(key) : std::string(key));
  padded.resize(kBlock);
  std::string inner = padded, outer = padded;
  for (size_t i = 0; i < kBlock; i++) {
    inner[i] = char(inner[i] ^ 0x36);
    outer[i] = char(outer[i] ^ 0x5c);
  }
  return Sha256(outer + Sha256(inner.append(message)));
}

} // namespace heddle::hunt
