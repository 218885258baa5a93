#include "printable.h"

#include <cstdint>

namespace heddle::hunt {
namespace {

uint32_t CodePoint(std::string_view character) {
  const auto byte = [&](size_t i) { return uint32_t(uint8_t(character[i])); };
  if (character.size() == 1)
    return byte(0);
  uint32_t point = byte(0) & (0x7fu >> character.size());
  for (size_t i = 1; i < character.size(); i++)
    point = point << 6 | (byte(i) & 0x3f);
  return point;
}

bool IsHarmless(uint32_t point) {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0))
    return false;
  const bool direction = point == 0x61c || point == 0x200e || point == 0x200f ||
                         (point >= 0x202a && point <= 0x202e) ||
                         (point >= 0x2066 && point <= 0x2069);
  return !direction && point != 0x2028 && point != 0x2029;
}

std::string Escape(std::string_view text, std::string_view kept) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string printable;
  for (size_t at = 0; at < text.size();) {
    const size_t size = CharacterAt(text, at);
    const std::string_view character = text.substr(at, size ? size : 1);
    if (size && (IsHarmless(CodePoint(character)) || kept.find(character) != kept.npos)) {
      printable += character;
    } else {
      for (const char byte : character) {
        printable += "\\x";
        printable += kDigits[uint8_t(byte) >> 4];
        printable += kDigits[uint8_t(byte) & 15];
      }
    }
    at += character.size();
  }
  return printable;
}

} // namespace

size_t CharacterAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return uint8_t(i < text.size() ? text[i] : 0); };
  const uint8_t first = byte(at);
  const size_t size = first < 0x80                    ? 1
                      : first >= 0xc2 && first < 0xe0 ? 2
                      : first >= 0xe0 && first < 0xf0 ? 3
                      : first >= 0xf0 && first < 0xf5 ? 4
                                                      : 0;
  for (size_t i = 1; i < size; i++)
    if ((byte(at + i) & 0xc0) != 0x80)
      return 0;
  if ((first == 0xe0 && byte(at + 1) < 0xa0) || (first == 0xed && byte(at + 1) >= 0xa0) ||
      (first == 0xf0 && byte(at + 1) < 0x90) || (first == 0xf4 && byte(at + 1) >= 0x90))
    return 0;
  return size;
}

std::string Printable(std::string_view text) { return Escape(text, ""); }
std::string PrintableLines(std::string_view text) { return Escape(text, "\n\t"); }

} // namespace heddle::hunt
