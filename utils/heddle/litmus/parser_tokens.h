// Reading tokens, and failing: what every part of the parser does.
//
// The parser is of recursive descent with one token of look-ahead. It stops at the
// first error: every Parse and Expect function returns false once the error is
// filled. Each part of a test has a class of its own, which holds what only that
// part needs to remember. What they hand on to each other is the place in the text,
// the Cursor.
#ifndef HEDDLE_LITMUS_PARSER_TOKENS_H
#define HEDDLE_LITMUS_PARSER_TOKENS_H

#include "lexer.h"
#include "parser.h"

#include <string>
#include <string_view>
#include <utility>

namespace heddle::litmus {

struct Cursor {
  Cursor(std::string_view text, ParseError *error) : lexer(text), error(error) {}

  Lexer lexer;
  LexerMode mode = LexerMode::kLitmus; // which of the two languages is being read
  Token token;
  ParseError *error;
};

class TokenParser {
protected:
  using TokenKind = Token::Kind;

  // Guards recursion: false, with an error, where the text is nested too deeply.
  class Nesting {
  public:
    explicit Nesting(TokenParser *parser) : parser_(parser) { parser_->depth_++; }
    ~Nesting() { parser_->depth_--; }
    bool Check() const {
      return parser_->depth_ <= ParseLimits::kDepth || parser_->FailDepth(parser_->token_.position);
    }

  private:
    TokenParser *parser_;
  };

  explicit TokenParser(Cursor *cursor) : cursor_(cursor), token_(cursor->token) {}

  void Advance() { cursor_->token = cursor_->lexer.Next(cursor_->mode); }
  bool Is(std::string_view text) const {
    return (token_.kind == TokenKind::kPunctuation || token_.kind == TokenKind::kIdentifier) &&
           token_.text == text;
  }
  bool Accept(std::string_view text) {
    if (!Is(text))
      return false;
    Advance();
    return true;
  }
  bool Expect(std::string_view text) { return Accept(text) || FailExpected(Quote(text)); }
  // A name, none of C's keywords.
  bool ExpectName(const char *what, Token *name);

  bool Fail(Position position, std::string message) {
    cursor_->error->line = position.line;
    cursor_->error->column = position.column;
    cursor_->error->message = std::move(message);
    return false;
  }
  bool FailExpected(const std::string &what);
  bool FailLimit(Position position, size_t limit, const char *what) {
    return Fail(position,
                "too many " + std::string(what) + ": there may be " + std::to_string(limit));
  }
  bool FailDepth(Position position) {
    return Fail(position, "nested too deeply: the limit is " + std::to_string(ParseLimits::kDepth));
  }

  // The rest of a test's head, behind the word that says what the test is written in.
  bool ParseTestName(std::string *name);
  static bool IsThreadName(std::string_view name); // "P0"
  // "0" or "P0", and the ':' behind it: a register's thread.
  bool IsThreadNumber() const;
  bool ParseThreadNumber(Value *thread);
  bool ParseInteger(Value *value);
  // The digits of token_. With `negative`, the value of "-" and them.
  bool ParseDigits(bool negative, Value *value);

  Cursor *cursor_;
  const Token &token_; // the cursor's

private:
  int depth_ = 0;
};

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PARSER_TOKENS_H
