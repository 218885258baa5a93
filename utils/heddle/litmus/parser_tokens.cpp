// Names, integers, and what an error says was found. That is one function for all
// parts, so that an unsupported operator gets its reason wherever it stands in a thread.
#include "parser_tokens.h"

#include "parser_words.h"

#include <cstdint>
#include <limits>

namespace heddle::litmus {

bool TokenParser::ExpectName(const char *what, Token *name) {
  if (token_.kind != TokenKind::kIdentifier || IsKeyword(token_.text))
    return FailExpected(what);
  *name = token_;
  Advance();
  return true;
}

bool TokenParser::FailExpected(const std::string &what) {
  if (token_.kind == TokenKind::kInvalid)
    return Fail(token_.position, std::string(token_.text));
  if (cursor_->mode == LexerMode::kThread && token_.kind == TokenKind::kPunctuation) {
    std::string_view reason = WhyUnsupportedOperator(token_.text);
    if (!reason.empty())
      return Fail(token_.position, std::string(reason));
  }
  return Fail(token_.position, "expected " + what + ", found " + Describe(token_));
}

bool TokenParser::ParseTestName(std::string *name) {
  Token word = cursor_->lexer.NextWord();
  if (word.text.empty())
    return Fail(word.position, "expected the test's name");
  *name = word.text;
  cursor_->token = cursor_->lexer.SkipProse();
  return true;
}

bool TokenParser::IsThreadName(std::string_view name) {
  return name.size() > 1 && name[0] == 'P' &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool TokenParser::IsThreadNumber() const {
  return token_.kind == TokenKind::kNumber ||
         (token_.kind == TokenKind::kIdentifier && IsThreadName(token_.text));
}

bool TokenParser::ParseThreadNumber(Value *thread) {
  if (token_.kind == TokenKind::kIdentifier)
    cursor_->token.text.remove_prefix(1);
  return ParseDigits(false, thread) && Expect(":");
}

bool TokenParser::ParseInteger(Value *value) {
  bool negative = Accept("-");
  if (token_.kind != TokenKind::kNumber)
    return FailExpected("an integer");
  return ParseDigits(negative, value);
}

bool TokenParser::ParseDigits(bool negative, Value *value) {
  std::string_view digits = token_.text;
  bool hexadecimal = digits.size() > 1 && (digits[1] == 'x' || digits[1] == 'X');
  if (hexadecimal)
    digits.remove_prefix(2);
  // "1L" is as wide as "1" here.
  while (!digits.empty() && (digits.back() == 'l' || digits.back() == 'L'))
    digits.remove_suffix(1);
  if (digits.empty())
    return Fail(token_.position, Quote(token_.text) + " is no integer");
  if (!hexadecimal && digits.size() > 1 && digits[0] == '0')
    return Fail(token_.position, Quote(token_.text) + " is octal in C and decimal in herd; write "
                                                      "it without the 0 in front");
  uint64_t base = hexadecimal ? 16 : 10;
  uint64_t magnitude = 0;
  // A hexadecimal number is 64 bits of any kind, a decimal one has a sign.
  uint64_t limit = hexadecimal
                       ? std::numeric_limits<uint64_t>::max()
                       : static_cast<uint64_t>(std::numeric_limits<Value>::max()) + negative;
  for (char c : digits) {
    uint64_t digit = c >= '0' && c <= '9'   ? c - '0'
                     : c >= 'a' && c <= 'f' ? c - 'a' + 10
                     : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                            : 16;
    if (digit >= base)
      return Fail(token_.position, Quote(token_.text) + " is no integer");
    if (magnitude > (limit - digit) / base)
      return Fail(token_.position, Quote(token_.text) + " does not fit into 64 bits");
    magnitude = magnitude * base + digit;
  }
  *value = static_cast<Value>(negative ? 0 - magnitude : magnitude);
  Advance();
  return true;
}

} // namespace heddle::litmus
