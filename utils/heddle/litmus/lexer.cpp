#include "lexer.h"

#include <cstdio>

namespace heddle::litmus {

// Not <cctype>'s: those depend on the locale and are undefined for bytes above 127.
static bool IsDigit(char c) { return c >= '0' && c <= '9'; }
static bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }
static bool IsBlank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// Longer ones first, so that the first match is the longest. Operators that no
// litmus test may use are here too: an error names them whole.
static constexpr std::string_view kPunctuations[] = {
    "<<=", ">>=", "...", "&&", "||", "==", "!=", "<=", ">=", "<>", "=>", "/\\", "\\/", "::",
    "++",  "--",  "<<",  ">>", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=",  "^="};

void Lexer::Step() {
  if (text_[at_++] == '\n') {
    line_++;
    line_start_ = at_;
  }
}

bool Lexer::SkipComment(LexerMode mode) {
  if (Peek() == '/' && Peek(1) == '/') {
    while (at_ < text_.size() && Peek() != '\n')
      Step();
    return true;
  }
  if (Peek() == '/' && Peek(1) == '*') {
    Step(), Step();
    while (at_ < text_.size()) {
      if (Peek() == '*' && Peek(1) == '/') {
        Step(), Step();
        return true;
      }
      Step();
    }
    return false;
  }
  if (Peek() == '(' && Peek(1) == '*' && (mode == LexerMode::kLitmus || !IsNameStart(Peek(2)))) {
    // These nest, as they do in herd.
    size_t depth = 0;
    while (at_ < text_.size()) {
      if (Peek() == '(' && Peek(1) == '*') {
        Step(), Step();
        depth++;
      } else if (Peek() == '*' && Peek(1) == ')') {
        Step(), Step();
        if (--depth == 0)
          return true;
      } else {
        Step();
      }
    }
    return false;
  }
  return true;
}

bool Lexer::SkipBlanks(LexerMode mode, Token *invalid) {
  for (;;) {
    size_t before = at_;
    while (at_ < text_.size() && IsBlank(Peek()))
      Step();
    Position start = Here();
    if (!SkipComment(mode)) {
      *invalid = {Token::Kind::kInvalid, "this comment has no end", start};
      return false;
    }
    if (at_ == before)
      return true;
  }
}

template <class Predicate> Token Lexer::Take(Token::Kind kind, Predicate belongs) {
  Position start = Here();
  size_t begin = at_;
  while (at_ < text_.size() && belongs(Peek()))
    Step();
  return {kind, text_.substr(begin, at_ - begin), start};
}

Token Lexer::Next(LexerMode mode) {
  Token token;
  if (!SkipBlanks(mode, &token))
    return token;
  Position start = Here();
  if (at_ == text_.size())
    return {Token::Kind::kEnd, {}, start};
  char first = Peek();
  if (IsNameStart(first))
    return Take(Token::Kind::kIdentifier, IsNamePart);
  if (IsDigit(first))
    return Take(Token::Kind::kNumber, IsNamePart);
  if (first == '"') {
    size_t begin = at_;
    do
      Step();
    while (at_ < text_.size() && Peek() != '"');
    if (at_ == text_.size())
      return {Token::Kind::kInvalid, "this string has no end", start};
    Step();
    return {Token::Kind::kString, text_.substr(begin, at_ - begin), start};
  }
  size_t length = 1;
  for (std::string_view punctuation : kPunctuations)
    if (text_.substr(at_, punctuation.size()) == punctuation) {
      length = punctuation.size();
      break;
    }
  Token punctuation{Token::Kind::kPunctuation, text_.substr(at_, length), start};
  while (length--)
    Step();
  return punctuation;
}

Token Lexer::NextWord() {
  while (Peek() == ' ' || Peek() == '\t')
    Step();
  return Take(Token::Kind::kIdentifier, [](char c) { return !IsBlank(c); });
}

// At a line that begins with "P0 |", "P0;" or "P0(".
bool Lexer::AtThread() const {
  size_t begin = at_;
  while (begin > line_start_ && (text_[begin - 1] == ' ' || text_[begin - 1] == '\t'))
    begin--;
  if (begin > line_start_ || Peek() != 'P' || !IsDigit(Peek(1)))
    return false;
  size_t ahead = 1;
  while (IsDigit(Peek(ahead)))
    ahead++;
  while (Peek(ahead) == ' ' || Peek(ahead) == '\t')
    ahead++;
  return Peek(ahead) == '|' || Peek(ahead) == ';' || Peek(ahead) == '(';
}

Token Lexer::SkipProse() {
  for (;;) {
    Token invalid;
    if (!SkipBlanks(LexerMode::kLitmus, &invalid))
      return invalid;
    if (at_ == text_.size() || Peek() == '{' || AtThread())
      return Next(LexerMode::kLitmus);
    size_t partner = Peek() == '"' ? text_.find('"', at_ + 1) : std::string_view::npos;
    if (partner == std::string_view::npos)
      Step();
    else
      SkipTo(partner + 1);
  }
}

char Lexer::PeekPast() const {
  size_t ahead = 0;
  while (at_ + ahead < text_.size() && IsBlank(Peek(ahead)))
    ahead++;
  return Peek(ahead);
}

void Lexer::SkipTo(size_t offset) {
  while (at_ < offset && at_ < text_.size())
    Step();
}

std::string Quote(std::string_view text) {
  constexpr size_t kLongest = 40;
  std::string quoted = "'";
  for (char c : text.substr(0, kLongest)) {
    // What is no printable ASCII would spoil the terminal of whoever reads it.
    if (c >= ' ' && c <= '~')
      quoted += c;
    else
      quoted += '?';
  }
  if (text.size() > kLongest)
    quoted += "...";
  return quoted + "'";
}

std::string Describe(const Token &token) {
  switch (token.kind) {
  case Token::Kind::kEnd:
    return "end of file";
  case Token::Kind::kString:
    return "a string";
  case Token::Kind::kInvalid:
    return std::string(token.text);
  case Token::Kind::kPunctuation: {
    unsigned char first = token.text[0];
    if (first < ' ' || first > '~') {
      char byte[16];
      snprintf(byte, sizeof(byte), "byte 0x%02x", first);
      return byte;
    }
    return Quote(token.text);
  }
  case Token::Kind::kIdentifier:
  case Token::Kind::kNumber:
    return Quote(token.text);
  }
  return {};
}

} // namespace heddle::litmus
