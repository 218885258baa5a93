// Tokens of a litmus file, and the words that parser and printer share.
//
// A litmus file is two languages in one: herd's own for the initial state and
// the condition, C for the threads. They differ in one thing that matters here:
// what "(*" begins. In herd's part it is always a comment. In a thread
// `if (*x == 1)` must be a dereference, so there "(*" begins a comment only if no
// name follows at once. "/* */" and "//" are comments everywhere.
#ifndef HEDDLE_LITMUS_LEXER_H
#define HEDDLE_LITMUS_LEXER_H

#include "program.h"

#include <string>
#include <string_view>

namespace heddle::litmus {

struct Token {
  enum class Kind {
    kEnd,
    kIdentifier,
    kNumber, // digits and whatever is glued to them: the parser judges it
    kString, // with its quotes
    kPunctuation,
    kInvalid, // `text` says what is wrong
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  Position position;
};

enum class LexerMode { kLitmus, kThread };

class Lexer {
public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token Next(LexerMode mode);

  // What follows on this line up to a blank. A test's name may hold what is no token:
  // "MP+rel+acq", "2+2W".
  Token NextWord();

  // The '{' of the initial state, or what stands where it should be: a thread, or the
  // end. All in front of it is prose, as in herd: strings, "Cycle=Rfe Fre" and the like.
  // A quotation mark that has no partner is prose, too.
  Token SkipProse();

  // The next character that is no blank.
  char PeekPast() const;

  // Goes forward to `offset`.
  void SkipTo(size_t offset);

private:
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  Position Here() const { return {line_, static_cast<int>(at_ - line_start_) + 1}; }
  void Step();
  // Skips white space and comments. Returns false, with the token that says so,
  // at a comment that has no end.
  bool SkipBlanks(LexerMode mode, Token *invalid);
  bool SkipComment(LexerMode mode);
  bool AtThread() const;
  template <class Predicate> Token Take(Token::Kind kind, Predicate belongs);

  std::string_view text_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  int line_ = 1;
};

// The token as an error message names it: "';'", "end of file", "byte 0x80".
// Long tokens are cut short.
std::string Describe(const Token &token);

// `text` in quotes, cut short if it is long, without control characters.
std::string Quote(std::string_view text);

// The functions a thread may call. Each but the fences comes with and without
// "_explicit".
struct Function {
  std::string_view name;
  Statement::Kind kind;
  RmwOperation operation = RmwOperation::kExchange;
  bool weak = false;
};
inline constexpr Function kFunctions[] = {
    {"atomic_load", Statement::Kind::kLoad},
    {"atomic_store", Statement::Kind::kStore},
    {"atomic_exchange", Statement::Kind::kRmw, RmwOperation::kExchange},
    {"atomic_fetch_add", Statement::Kind::kRmw, RmwOperation::kAdd},
    {"atomic_fetch_sub", Statement::Kind::kRmw, RmwOperation::kSub},
    {"atomic_fetch_and", Statement::Kind::kRmw, RmwOperation::kAnd},
    {"atomic_fetch_or", Statement::Kind::kRmw, RmwOperation::kOr},
    {"atomic_fetch_xor", Statement::Kind::kRmw, RmwOperation::kXor},
    {"atomic_compare_exchange_strong", Statement::Kind::kCompareExchange},
    {"atomic_compare_exchange_weak", Statement::Kind::kCompareExchange, RmwOperation::kExchange,
     true},
    {"atomic_thread_fence", Statement::Kind::kFence},
    {"membarrier", Statement::Kind::kMembarrier},
};
inline constexpr std::string_view kExplicit = "_explicit";

struct OrderName {
  std::string_view name; // after "memory_order_"
  Order order;
};
inline constexpr OrderName kOrderNames[] = {
    {"relaxed", Order::kRelaxed}, {"consume", Order::kConsume}, {"acquire", Order::kAcquire},
    {"release", Order::kRelease}, {"acq_rel", Order::kAcqRel},  {"seq_cst", Order::kSeqCst},
};

// C's binary operators, all of which associate to the left.
struct BinaryOperator {
  std::string_view text;
  int precedence; // a higher one binds tighter
  Expression::Kind kind;
};
inline constexpr BinaryOperator kBinaryOperators[] = {
    {"||", 1, Expression::Kind::kLogicalOr},
    {"&&", 2, Expression::Kind::kLogicalAnd},
    {"|", 3, Expression::Kind::kOr},
    {"^", 4, Expression::Kind::kXor},
    {"&", 5, Expression::Kind::kAnd},
    {"==", 6, Expression::Kind::kEqual},
    {"!=", 6, Expression::Kind::kNotEqual},
    {"<", 7, Expression::Kind::kLess},
    {"<=", 7, Expression::Kind::kLessEqual},
    {">", 7, Expression::Kind::kGreater},
    {">=", 7, Expression::Kind::kGreaterEqual},
    {"+", 8, Expression::Kind::kAdd},
    {"-", 8, Expression::Kind::kSubtract},
    {"*", 9, Expression::Kind::kMultiply},
};

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_LEXER_H
