// A recursive-descent parser with one token of look-ahead. It stops at the first
// error: every Parse function returns false once error_ is filled.
#include "parser.h"

#include "lexer.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <utility>

namespace heddle::litmus {
namespace {

using Kind = Statement::Kind;
using TokenKind = Token::Kind;

// What C has and litmus tests here have not.
struct Unsupported {
  std::string_view text, reason;
};
constexpr Unsupported kUnsupportedStatements[] = {
    {"while", "loops are not supported, so that every execution is finite"},
    {"for", "loops are not supported, so that every execution is finite"},
    {"do", "loops are not supported, so that every execution is finite"},
    {"goto", "'goto' is not supported"},
    {"break", "'break' is not supported"},
    {"continue", "'continue' is not supported"},
    {"switch", "'switch' is not supported; use 'if'"},
    {"return", "'return' is not supported; use 'if'"},
};
constexpr Unsupported kUnsupportedOperators[] = {
    {"/", "division is not supported"},
    {"%", "division is not supported"},
    {"<<", "shifts are not supported"},
    {">>", "shifts are not supported"},
    {"?", "the conditional operator is not supported; use 'if'"},
    {"++", "'++' is not supported; write 'r = r + 1'"},
    {"--", "'--' is not supported; write 'r = r - 1', or '- -1'"},
    {"->", "structures are not supported"},
    {".", "structures are not supported"},
    {"[", "arrays are not supported"},
    {"+=", "compound assignment is not supported; write 'r = r + ...'"},
    {"-=", "compound assignment is not supported; write 'r = r - ...'"},
    {"*=", "compound assignment is not supported; write 'r = r * ...'"},
    {"&=", "compound assignment is not supported; write 'r = r & ...'"},
    {"|=", "compound assignment is not supported; write 'r = r | ...'"},
    {"^=", "compound assignment is not supported; write 'r = r ^ ...'"},
    {"/=", "division is not supported"},
    {"%=", "division is not supported"},
    {"<<=", "shifts are not supported"},
    {">>=", "shifts are not supported"},
};
constexpr Unsupported kUnsupportedFunctions[] = {
    {"atomic_init", "'atomic_init' is not supported; set initial values in the block before P0"},
    {"atomic_signal_fence",
     "'atomic_signal_fence' is not supported: it orders nothing between threads"},
};
constexpr std::string_view kUnsupportedTypes[] = {
    "unsigned",    "signed",      "short",  "char",  "bool",       "_Bool",
    "float",       "double",      "struct", "union", "enum",       "auto",
    "atomic_bool", "atomic_uint", "size_t", "void",  "__int128_t",
};
constexpr std::string_view kTypes[] = {"int",     "long",  "atomic_int", "atomic_long",
                                       "_Atomic", "const", "volatile"};

template <class T, size_t N> bool Contains(const T (&list)[N], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

template <size_t N>
const Unsupported *FindUnsupported(const Unsupported (&list)[N], std::string_view text) {
  for (const Unsupported &unsupported : list)
    if (unsupported.text == text)
      return &unsupported;
  return nullptr;
}

bool IsKeyword(std::string_view text) {
  return text == "if" || text == "else" || Contains(kTypes, text) ||
         Contains(kUnsupportedTypes, text) || FindUnsupported(kUnsupportedStatements, text);
}

const Function *FindFunction(std::string_view name, bool *with_order) {
  *with_order =
      name.size() > kExplicit.size() && name.substr(name.size() - kExplicit.size()) == kExplicit;
  std::string_view base = *with_order ? name.substr(0, name.size() - kExplicit.size()) : name;
  for (const Function &function : kFunctions)
    if (function.name == base && !(*with_order && function.kind == Kind::kFence)) {
      *with_order |= function.kind == Kind::kFence;
      return &function;
    }
  return nullptr;
}

// Levenshtein's.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); j++)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); j++) {
      size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// "; did you mean 'a', 'b'?", or nothing if no name is near.
std::string Similar(std::string_view name, const std::vector<std::string> &candidates) {
  if (name.size() > 64)
    return {};
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string &candidate : candidates) {
    size_t distance = Distance(name, candidate);
    if (distance <= std::max<size_t>(1, candidate.size() / 4))
      near.push_back({distance, candidate});
  }
  std::sort(near.begin(), near.end());
  if (near.size() > 3)
    near.resize(3);
  std::string text;
  for (const auto &[distance, candidate] : near)
    text += (text.empty() ? "; did you mean " : ", ") + Quote(candidate);
  return text.empty() ? text : text + "?";
}

bool IsAllowed(Kind kind, Order order) {
  switch (kind) {
  case Kind::kLoad:
    return order != Order::kRelease && order != Order::kAcqRel;
  case Kind::kStore:
    return order == Order::kRelaxed || order == Order::kRelease || order == Order::kSeqCst;
  case Kind::kRmw:
  case Kind::kCompareExchange:
  case Kind::kFence:
  case Kind::kAssign:
  case Kind::kIf:
    return true;
  }
  return true;
}

// Token reading and errors, common to tests and expectations.
class TokenParser {
protected:
  TokenParser(std::string_view text, ParseError *error) : lexer_(text), error_(error) {}

  void Advance() { token_ = lexer_.Next(mode_); }
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

  bool Fail(Position position, std::string message) {
    error_->line = position.line;
    error_->column = position.column;
    error_->message = std::move(message);
    return false;
  }
  bool FailExpected(const std::string &what);
  bool FailLimit(Position position, size_t limit, const char *what) {
    return Fail(position,
                "too many " + std::string(what) + ": there may be " + std::to_string(limit));
  }

  bool ParseInteger(Value *value);
  // The digits of token_. With `negative`, the value of "-" and them.
  bool ParseDigits(bool negative, Value *value);

  Lexer lexer_;
  LexerMode mode_ = LexerMode::kLitmus;
  Token token_;
  ParseError *error_;
};

bool TokenParser::FailExpected(const std::string &what) {
  if (token_.kind == TokenKind::kInvalid)
    return Fail(token_.position, std::string(token_.text));
  if (mode_ == LexerMode::kThread && token_.kind == TokenKind::kPunctuation)
    if (const Unsupported *operation = FindUnsupported(kUnsupportedOperators, token_.text))
      return Fail(token_.position, std::string(operation->reason));
  return Fail(token_.position, "expected " + what + ", found " + Describe(token_));
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

class TestParser : TokenParser {
public:
  TestParser(std::string_view text, Program *program, ParseError *error)
      : TokenParser(text, error), program_(program) {}
  bool ParseTest();

private:
  struct Type {
    bool atomic = false, pointer = false;
  };
  struct Parameter {
    int location;
    bool atomic;
  };
  struct InitialRegister {
    std::string name;
    Value value;
    Position position;
  };
  // The thread being parsed.
  struct ThreadNames {
    std::map<std::string, Parameter, std::less<>> parameters;
    std::map<std::string, int, std::less<>> registers;
    std::vector<bool> in_scope;           // by register
    std::vector<std::vector<int>> scopes; // the registers each open block declared
    std::set<int> from_initial_state;     // may be declared once more
    int initialised = -1;                 // the register whose initialiser is being read
    int hidden = 0;
  };
  // Guards recursion: false, with an error, where the text is nested too deeply.
  class Nesting {
  public:
    explicit Nesting(TestParser *parser) : parser_(parser) { parser_->depth_++; }
    ~Nesting() { parser_->depth_--; }
    bool Check() const {
      return parser_->depth_ <= ParseLimits::kDepth || parser_->FailDepth(parser_->token_.position);
    }

  private:
    TestParser *parser_;
  };

  bool FailDepth(Position position) {
    return Fail(position, "nested too deeply: the limit is " + std::to_string(ParseLimits::kDepth));
  }
  bool ExpectName(const char *what, Token *name);

  bool ParseHeader();
  bool ParseInitialState();
  bool ParseInitialRegister();
  bool IsType() const {
    return token_.kind == TokenKind::kIdentifier &&
           (Contains(kTypes, token_.text) || Contains(kUnsupportedTypes, token_.text));
  }
  bool ParseType(Type *type);
  bool AcceptBaseType(Type *type);
  int FindLocation(std::string_view name) const;
  bool AddLocation(const Token &name, int *location);

  bool ParseThread(bool *found);
  bool ParseParameters();
  bool ParseBlock();
  bool ParseStatement();
  bool ParseIf();
  bool ParseDeclaration();
  bool ParseAssignment(const Token &name);
  bool ParseDereference();
  // "= value" of a declaration or an assignment to `target`.
  bool ParseAssigned(Position position, int target);

  bool DeclareRegister(std::string_view name, Position position, int *index);
  bool UseRegister(const Token &name, int *index);
  int AddHiddenRegister();
  void DropHiddenRegister();
  bool AddStatement(Statement statement);

  // An expression that begins a new evaluation: it may hold one operation of its
  // own. *operation: it is nothing but an operation, the last statement added.
  bool ParseValue(Expression *value, bool *operation = nullptr);
  bool ParseBinary(int precedence, Expression *expression, int *height);
  bool ParseUnary(Expression *expression, int *height);
  bool ParsePrimary(Expression *expression, int *height);
  // Adds an operation inside an expression, which uses its result.
  bool AddOperation(Statement statement, Expression *result);
  bool CheckOperationAllowed(Position position);

  bool ParseCall(const Token &name, Statement *statement);
  bool ParseLocation(int *location);
  bool ParseOrder(Order *order, Kind kind, const char *what);

  bool ParseLocationsClause();
  bool ParseCondition();
  bool ParseProposition(Proposition *proposition);
  bool ParseDisjunction(Proposition *proposition);
  bool ParseConjunction(Proposition *proposition);
  bool ParseNegation(Proposition *proposition);
  bool ParseAtom(Proposition *proposition);
  bool ParseObservable(Observable *observable);
  void FillObserved();

  Program *program_;
  ThreadNames names_;
  std::vector<Statement> *body_ = nullptr; // where statements go
  std::map<size_t, std::vector<InitialRegister>> initial_registers_;
  std::set<std::pair<int, int>> observed_; // thread and index
  size_t statements_ = 0;
  int depth_ = 0;
  bool has_operation_ = false;  // the expression being read holds one
  bool is_conditional_ = false; // what is being read might not be evaluated
};

bool TestParser::ExpectName(const char *what, Token *name) {
  if (token_.kind != TokenKind::kIdentifier || IsKeyword(token_.text))
    return FailExpected(what);
  *name = token_;
  Advance();
  return true;
}

bool TestParser::ParseTest() {
  if (!ParseHeader() || !ParseInitialState())
    return false;
  bool found = true;
  while (found)
    if (!ParseThread(&found))
      return false;
  for (const auto &[thread, registers] : initial_registers_)
    if (thread >= program_->threads.size())
      return Fail(registers[0].position, "there is no thread P" + std::to_string(thread));
  while (Is("locations"))
    if (!ParseLocationsClause())
      return false;
  program_->quantifier = Quantifier::kForall;
  if (token_.kind != TokenKind::kEnd && !ParseCondition())
    return false;
  while (Is("locations"))
    if (!ParseLocationsClause())
      return false;
  if (token_.kind != TokenKind::kEnd)
    return FailExpected("end of file");
  FillObserved();
  return true;
}

bool TestParser::ParseHeader() {
  Advance();
  if (!Is("C"))
    return FailExpected("'C' and the test's name");
  Token name = lexer_.NextWord();
  if (name.text.empty())
    return Fail(name.position, "expected the test's name");
  program_->name = name.text;
  Advance();
  // A comment, and what generators say about a test: "Cycle=Rfe Fre".
  for (;;) {
    if (token_.kind == TokenKind::kString) {
      Advance();
    } else if (token_.kind == TokenKind::kIdentifier) {
      Advance();
      if (!Is("="))
        return FailExpected("'='");
      lexer_.RestOfLine();
      Advance();
    } else {
      return true;
    }
  }
}

bool TestParser::ParseInitialState() {
  if (!Expect("{"))
    return false;
  while (!Is("}")) {
    if (Accept(";"))
      continue;
    if (token_.kind == TokenKind::kNumber) {
      if (!ParseInitialRegister())
        return false;
    } else {
      Type type;
      if (IsType() && !ParseType(&type))
        return false;
      bool bracket = Accept("[");
      Token name;
      if (!ExpectName("a location", &name))
        return false;
      if (bracket && !Expect("]"))
        return false;
      int location = FindLocation(name.text);
      // "[x] = 1" may follow "int x;". Else a location stands here once.
      if (location >= 0 && !bracket)
        return Fail(name.position, Quote(name.text) + " is declared already");
      if (location < 0 && !AddLocation(name, &location))
        return false;
      if (Accept("=") && !ParseInteger(&program_->locations[location].initial))
        return false;
    }
    if (!Is("}") && !Expect(";"))
      return false;
  }
  return Expect("}");
}

bool TestParser::ParseInitialRegister() {
  Token number = token_;
  Value thread;
  if (!ParseDigits(false, &thread) || !Expect(":"))
    return false;
  if (static_cast<uint64_t>(thread) >= ParseLimits::kThreads)
    return FailLimit(number.position, ParseLimits::kThreads, "threads");
  Token name;
  Value value = 0;
  if (!ExpectName("a register", &name) || !Expect("=") || !ParseInteger(&value))
    return false;
  initial_registers_[thread].push_back({std::string(name.text), value, name.position});
  return true;
}

bool TestParser::AcceptBaseType(Type *type) {
  if (Accept("int"))
    return true;
  if (Accept("long")) {
    Accept("long");
    Accept("int");
    return true;
  }
  bool atomic = Accept("atomic_int") || Accept("atomic_long");
  type->atomic |= atomic;
  return atomic;
}

bool TestParser::ParseType(Type *type) {
  bool found = false;
  while (IsType()) {
    if (Contains(kUnsupportedTypes, token_.text))
      return Fail(token_.position,
                  "type " + Quote(token_.text) +
                      " is not supported; registers and locations are int or long");
    if (Accept("const") || Accept("volatile"))
      continue;
    if (Accept("_Atomic")) {
      type->atomic = true;
      if (!Accept("("))
        continue;
      if (!AcceptBaseType(type))
        return FailExpected("'int' or 'long'");
      if (!Expect(")"))
        return false;
    } else if (found || !AcceptBaseType(type)) {
      return FailExpected("a name");
    }
    found = true;
  }
  if (!found)
    return FailExpected("'int' or 'long'");
  while (Is("*")) {
    if (type->pointer)
      return Fail(token_.position, "pointers to pointers are not supported");
    type->pointer = true;
    Advance();
    while (Is("const") || Is("volatile") || Is("restrict"))
      Advance();
  }
  return true;
}

int TestParser::FindLocation(std::string_view name) const {
  for (size_t i = 0; i < program_->locations.size(); i++)
    if (program_->locations[i].name == name)
      return static_cast<int>(i);
  return -1;
}

bool TestParser::AddLocation(const Token &name, int *location) {
  if (program_->locations.size() == ParseLimits::kLocations)
    return FailLimit(name.position, ParseLimits::kLocations, "locations");
  *location = static_cast<int>(program_->locations.size());
  program_->locations.push_back({std::string(name.text), 0});
  return true;
}

bool TestParser::ParseThread(bool *found) {
  size_t number = program_->threads.size();
  std::string name = "P" + std::to_string(number);
  Accept("static");
  Accept("void");
  // Only the first thread must be there.
  *found = number == 0 || (token_.kind == TokenKind::kIdentifier && token_.text.size() > 1 &&
                           token_.text[0] == 'P' && token_.text[1] >= '0' && token_.text[1] <= '9');
  if (!*found)
    return true;
  if (number == ParseLimits::kThreads)
    return FailLimit(token_.position, ParseLimits::kThreads, "threads");
  if (!Expect(name))
    return false;
  program_->threads.emplace_back();
  body_ = &program_->threads.back().body;
  names_ = {};
  names_.scopes.emplace_back();

  if (!Is("("))
    return FailExpected("'('");
  mode_ = LexerMode::kThread;
  Advance();
  if (!ParseParameters())
    return false;
  for (const InitialRegister &initial : initial_registers_[number]) {
    Statement assign;
    assign.kind = Kind::kAssign;
    if (names_.registers.count(initial.name))
      return Fail(initial.position, Quote(initial.name) + " is declared already");
    if (!DeclareRegister(initial.name, initial.position, &assign.target))
      return false;
    names_.from_initial_state.insert(assign.target);
    assign.value.constant = initial.value;
    assign.position = initial.position;
    // Registers start as 0.
    if (initial.value != 0 && !AddStatement(std::move(assign)))
      return false;
  }
  if (!Expect("{"))
    return false;
  while (!Is("}"))
    if (!ParseStatement())
      return false;
  mode_ = LexerMode::kLitmus;
  Advance();
  return true;
}

bool TestParser::ParseParameters() {
  if (Accept("void"))
    return Expect(")");
  if (Accept(")"))
    return true;
  do {
    Type type;
    Token name;
    if (!IsType())
      return FailExpected("a parameter such as 'atomic_int *x'");
    if (!ParseType(&type))
      return false;
    if (!type.pointer)
      return FailExpected("'*': a thread gets pointers to the locations");
    if (!ExpectName("a location", &name))
      return false;
    if (names_.parameters.count(name.text))
      return Fail(name.position, Quote(name.text) + " is declared already");
    int location = FindLocation(name.text);
    if (location < 0 && !AddLocation(name, &location))
      return false;
    names_.parameters[std::string(name.text)] = {location, type.atomic};
  } while (Accept(","));
  return Expect(")");
}

bool TestParser::ParseBlock() {
  if (!Expect("{"))
    return false;
  names_.scopes.emplace_back();
  while (!Is("}"))
    if (!ParseStatement())
      return false;
  for (int index : names_.scopes.back())
    names_.in_scope[index] = false;
  names_.scopes.pop_back();
  Advance();
  return true;
}

bool TestParser::ParseStatement() {
  Nesting nesting(this);
  if (!nesting.Check())
    return false;
  if (Accept(";"))
    return true;
  if (Is("{"))
    return ParseBlock();
  if (Is("if"))
    return ParseIf();
  if (IsType())
    return ParseDeclaration();
  if (Is("*"))
    return ParseDereference();
  if (const Unsupported *statement = FindUnsupported(kUnsupportedStatements, token_.text))
    if (token_.kind == TokenKind::kIdentifier)
      return Fail(token_.position, std::string(statement->reason));
  Token name;
  if (!ExpectName("a statement", &name))
    return false;
  if (!Is("("))
    return ParseAssignment(name);
  Statement statement;
  return ParseCall(name, &statement) && AddStatement(std::move(statement)) && Expect(";");
}

bool TestParser::ParseIf() {
  Statement statement;
  statement.kind = Kind::kIf;
  statement.position = token_.position;
  Advance();
  if (!Expect("(") || !ParseValue(&statement.value) || !Expect(")"))
    return false;
  std::vector<Statement> *outer = body_;
  // A single statement is a block, too, but one that can declare nothing.
  auto parse_branch = [&](std::vector<Statement> *branch) {
    body_ = branch;
    if (IsType())
      return Fail(token_.position, "a declaration needs a block: expected '{'");
    return ParseStatement();
  };
  if (!parse_branch(&statement.then_body))
    return false;
  if (Accept("else") && !parse_branch(&statement.else_body))
    return false;
  body_ = outer;
  return AddStatement(std::move(statement));
}

bool TestParser::ParseDeclaration() {
  Position position = token_.position;
  Type type;
  if (!ParseType(&type))
    return false;
  if (type.pointer)
    return Fail(position, "a register cannot be a pointer: locations come as parameters");
  if (type.atomic)
    return Fail(position, "a register cannot be atomic: locations come as parameters");
  do {
    Token name;
    int index = -1;
    if (!ExpectName("a register", &name) || !DeclareRegister(name.text, name.position, &index))
      return false;
    if (Is("=")) {
      names_.initialised = index;
      if (!ParseAssigned(name.position, index))
        return false;
      names_.initialised = -1;
    }
  } while (Accept(","));
  return Expect(";");
}

bool TestParser::ParseAssignment(const Token &name) {
  int index = -1;
  if (names_.parameters.count(name.text))
    return Fail(name.position,
                Quote(name.text) + " is a location: write to it with atomic_store_explicit");
  return UseRegister(name, &index) && ParseAssigned(name.position, index) && Expect(";");
}

bool TestParser::ParseAssigned(Position position, int target) {
  if (!Expect("="))
    return false;
  Statement assign;
  assign.kind = Kind::kAssign;
  assign.target = target;
  assign.position = position;
  bool operation = false;
  if (!ParseValue(&assign.value, &operation))
    return false;
  // The result goes straight to the target, except that of "r = cas(x, &r, 1)":
  // C assigns it after the operation has written to r.
  if (operation && body_->back().expected != target) {
    DropHiddenRegister();
    body_->back().target = target;
    return true;
  }
  return AddStatement(std::move(assign));
}

// "*x = value;" or "*x;"
bool TestParser::ParseDereference() {
  Statement statement;
  statement.position = token_.position;
  Advance();
  Token name = token_;
  if (!ParseLocation(&statement.location))
    return false;
  if (!names_.parameters.find(name.text)->second.atomic)
    return Fail(statement.position,
                "'*' on " + Quote(name.text) + " is a plain access: declare it as 'atomic_int *'");
  statement.kind = Kind::kLoad;
  if (Accept("=")) {
    statement.kind = Kind::kStore;
    if (!ParseValue(&statement.value))
      return false;
  }
  return AddStatement(std::move(statement)) && Expect(";");
}

bool TestParser::DeclareRegister(std::string_view name, Position position, int *index) {
  std::vector<std::string> &registers = program_->threads.back().registers;
  if (names_.parameters.count(name))
    return Fail(position, Quote(name) + " is declared already, as a location");
  auto found = names_.registers.find(name);
  if (found != names_.registers.end()) {
    *index = found->second;
    if (names_.from_initial_state.erase(*index))
      return true;
    if (names_.in_scope[*index])
      return Fail(position, Quote(name) + " is declared already");
    // Blocks that exclude or follow each other share the register.
    names_.in_scope[*index] = true;
    names_.scopes.back().push_back(*index);
    return true;
  }
  if (registers.size() == ParseLimits::kRegisters)
    return FailLimit(position, ParseLimits::kRegisters, "registers");
  *index = static_cast<int>(registers.size());
  registers.emplace_back(name);
  names_.registers.emplace(name, *index);
  names_.in_scope.push_back(true);
  names_.scopes.back().push_back(*index);
  return true;
}

bool TestParser::UseRegister(const Token &name, int *index) {
  std::string thread = "P" + std::to_string(program_->threads.size() - 1);
  auto found = names_.registers.find(name.text);
  if (found == names_.registers.end()) {
    if (names_.parameters.count(name.text))
      return Fail(name.position, Quote(name.text) + " is a location, no register: read it with "
                                                    "atomic_load_explicit");
    if (FindLocation(name.text) >= 0)
      return Fail(name.position,
                  Quote(name.text) + " is a location, but no parameter of " + thread);
    std::vector<std::string> known;
    for (const auto &[known_name, known_index] : names_.registers)
      known.push_back(known_name);
    return Fail(name.position,
                Quote(name.text) + " is not declared in " + thread + Similar(name.text, known));
  }
  *index = found->second;
  if (!names_.in_scope[*index])
    return Fail(name.position, Quote(name.text) + " is declared only in a block that has ended");
  if (*index == names_.initialised)
    return Fail(name.position, Quote(name.text) + " is used in its own initialiser");
  return true;
}

// The limit of registers does not hold for these: there is at most one for each
// statement.
int TestParser::AddHiddenRegister() {
  std::vector<std::string> &registers = program_->threads.back().registers;
  std::string name;
  do
    name = "__t" + std::to_string(names_.hidden++);
  while (names_.registers.count(name));
  int index = static_cast<int>(registers.size());
  names_.registers.emplace(name, index);
  names_.in_scope.push_back(true);
  registers.push_back(std::move(name));
  return index;
}

void TestParser::DropHiddenRegister() {
  std::vector<std::string> &registers = program_->threads.back().registers;
  names_.registers.erase(registers.back());
  names_.in_scope.pop_back();
  registers.pop_back();
  names_.hidden--;
}

bool TestParser::AddStatement(Statement statement) {
  if (statements_ == ParseLimits::kStatements)
    return FailLimit(statement.position, ParseLimits::kStatements, "statements");
  statements_++;
  body_->push_back(std::move(statement));
  return true;
}

bool TestParser::ParseValue(Expression *value, bool *operation) {
  bool outer_has_operation = std::exchange(has_operation_, false);
  bool outer_is_conditional = std::exchange(is_conditional_, false);
  int height = 0;
  if (!ParseBinary(1, value, &height))
    return false;
  if (operation)
    *operation = has_operation_ && value->kind == Expression::Kind::kRegister &&
                 value->register_index == body_->back().target;
  has_operation_ = outer_has_operation;
  is_conditional_ = outer_is_conditional;
  return true;
}

bool TestParser::ParseBinary(int precedence, Expression *expression, int *height) {
  if (!ParseUnary(expression, height))
    return false;
  for (;;) {
    const BinaryOperator *found = nullptr;
    for (const BinaryOperator &candidate : kBinaryOperators)
      if (candidate.precedence >= precedence && Is(candidate.text))
        found = &candidate;
    if (!found)
      return true;
    Position position = token_.position;
    Advance();
    bool outer_is_conditional = is_conditional_;
    is_conditional_ |=
        found->kind == Expression::Kind::kLogicalAnd || found->kind == Expression::Kind::kLogicalOr;
    Expression right;
    int right_height = 0;
    if (!ParseBinary(found->precedence + 1, &right, &right_height))
      return false;
    is_conditional_ = outer_is_conditional;
    // A long chain is a deep tree, although it was read in a loop.
    *height = std::max(*height, right_height) + 1;
    if (*height > ParseLimits::kDepth)
      return FailDepth(position);
    Expression binary;
    binary.kind = found->kind;
    binary.left = std::make_shared<const Expression>(std::move(*expression));
    binary.right = std::make_shared<const Expression>(std::move(right));
    *expression = std::move(binary);
  }
}

bool TestParser::ParseUnary(Expression *expression, int *height) {
  Nesting nesting(this);
  if (!nesting.Check())
    return false;
  Position position = token_.position;
  if (Accept("+"))
    return ParseUnary(expression, height);
  Expression unary;
  if (Accept("-")) {
    if (token_.kind == TokenKind::kNumber) {
      *height = 1;
      return ParseDigits(true, &expression->constant);
    }
    unary.kind = Expression::Kind::kNegate;
  } else if (Accept("!")) {
    unary.kind = Expression::Kind::kNot;
  } else if (Accept("~")) {
    unary.kind = Expression::Kind::kComplement;
  } else {
    return ParsePrimary(expression, height);
  }
  Expression operand;
  if (!ParseUnary(&operand, height))
    return false;
  if (++*height > ParseLimits::kDepth)
    return FailDepth(position);
  unary.left = std::make_shared<const Expression>(std::move(operand));
  *expression = std::move(unary);
  return true;
}

bool TestParser::ParsePrimary(Expression *expression, int *height) {
  *height = 1;
  if (token_.kind == TokenKind::kNumber)
    return ParseDigits(false, &expression->constant);
  if (Accept("(")) {
    if (IsType())
      return Fail(token_.position, "casts are not supported");
    return ParseBinary(1, expression, height) && Expect(")");
  }
  Position position = token_.position;
  if (Accept("*")) {
    Statement load;
    load.kind = Kind::kLoad;
    load.position = position;
    Token name = token_;
    if (!CheckOperationAllowed(position) || !ParseLocation(&load.location))
      return false;
    if (!names_.parameters.find(name.text)->second.atomic)
      return Fail(position, "'*' on " + Quote(name.text) +
                                " is a plain access: declare it as 'atomic_int *'");
    return AddOperation(std::move(load), expression);
  }
  if (Is("&"))
    return Fail(position, "addresses are not supported, except that of a compare-exchange's "
                          "expected value");
  Token name;
  if (!ExpectName("an expression", &name))
    return false;
  if (!Is("(")) {
    expression->kind = Expression::Kind::kRegister;
    return UseRegister(name, &expression->register_index);
  }
  Statement statement;
  if (!CheckOperationAllowed(position) || !ParseCall(name, &statement))
    return false;
  if (statement.kind == Kind::kStore || statement.kind == Kind::kFence)
    return Fail(position, Quote(name.text) + " has no value");
  return AddOperation(std::move(statement), expression);
}

bool TestParser::CheckOperationAllowed(Position position) {
  if (is_conditional_)
    return Fail(position, "an atomic operation on the right of '&&' or '||' is not supported; use "
                          "'if'");
  if (has_operation_)
    return Fail(position, "two atomic operations in one expression: C does not say which comes "
                          "first; give each a register");
  return true;
}

bool TestParser::AddOperation(Statement statement, Expression *result) {
  has_operation_ = true;
  statement.target = AddHiddenRegister();
  result->kind = Expression::Kind::kRegister;
  result->register_index = statement.target;
  return AddStatement(std::move(statement));
}

// From the parenthesis on.
bool TestParser::ParseCall(const Token &name, Statement *statement) {
  bool with_order = false;
  const Function *function = FindFunction(name.text, &with_order);
  if (!function) {
    if (const Unsupported *unsupported = FindUnsupported(kUnsupportedFunctions, name.text))
      return Fail(name.position, std::string(unsupported->reason));
    std::vector<std::string> known;
    for (const Function &candidate : kFunctions) {
      known.emplace_back(candidate.name);
      if (candidate.kind != Kind::kFence)
        known.push_back(std::string(candidate.name) + std::string(kExplicit));
    }
    return Fail(name.position, "unknown function " + Quote(name.text) + Similar(name.text, known));
  }
  statement->kind = function->kind;
  statement->operation = function->operation;
  statement->weak = function->weak;
  statement->position = name.position;
  if (!Expect("("))
    return false;
  if (function->kind == Kind::kFence)
    return ParseOrder(&statement->order, Kind::kFence, "a fence") && Expect(")");
  if (!ParseLocation(&statement->location))
    return false;
  if (function->kind == Kind::kCompareExchange) {
    if (!Expect(",") || !Expect("&"))
      return false;
    Token expected;
    if (!ExpectName("a register", &expected) || !UseRegister(expected, &statement->expected))
      return false;
  }
  if (function->kind != Kind::kLoad && (!Expect(",") || !ParseValue(&statement->value)))
    return false;
  if (with_order) {
    const char *what = function->kind == Kind::kLoad    ? "a load"
                       : function->kind == Kind::kStore ? "a store"
                                                        : "an operation";
    if (!Expect(",") || !ParseOrder(&statement->order, function->kind, what))
      return false;
    if (function->kind == Kind::kCompareExchange &&
        (!Expect(",") ||
         !ParseOrder(&statement->failure_order, Kind::kLoad, "a compare-exchange that failed")))
      return false;
  }
  return Expect(")");
}

bool TestParser::ParseLocation(int *location) {
  if (Is("&"))
    return Fail(token_.position, "expected a location, found '&': a thread's parameters are "
                                 "pointers already");
  Token name;
  if (!ExpectName("a location", &name))
    return false;
  auto found = names_.parameters.find(name.text);
  if (found != names_.parameters.end()) {
    *location = found->second.location;
    return true;
  }
  std::string thread = "P" + std::to_string(program_->threads.size() - 1);
  if (names_.registers.count(name.text))
    return Fail(name.position, Quote(name.text) + " is a register, no location");
  if (FindLocation(name.text) >= 0)
    return Fail(name.position, "location " + Quote(name.text) + " is no parameter of " + thread);
  std::vector<std::string> known;
  for (const auto &[known_name, parameter] : names_.parameters)
    known.push_back(known_name);
  return Fail(name.position, "location " + Quote(name.text) + " is not declared in " + thread +
                                 Similar(name.text, known));
}

// "memory_order_acquire" or "memory_order::acquire", with or without "std::".
bool TestParser::ParseOrder(Order *order, Kind kind, const char *what) {
  constexpr std::string_view kPrefix = "memory_order_";
  Token start = token_;
  if (Accept("std") && !Expect("::"))
    return false;
  bool scoped = Accept("memory_order");
  if (scoped && !Expect("::"))
    return false;
  std::string_view name = token_.text;
  if (name.substr(0, kPrefix.size()) == kPrefix)
    name.remove_prefix(kPrefix.size());
  else if (!scoped)
    return FailExpected("a memory order such as memory_order_acquire");
  for (const OrderName &candidate : kOrderNames)
    if (token_.kind == TokenKind::kIdentifier && candidate.name == name) {
      *order = candidate.order;
      Advance();
      if (IsAllowed(kind, *order))
        return true;
      std::string allowed;
      for (const OrderName &other : kOrderNames)
        if (IsAllowed(kind, other.order))
          allowed += (allowed.empty() ? "" : ", ") + std::string(other.name);
      return Fail(start.position,
                  std::string(what) + " cannot be " + std::string(name) + "; it may be " + allowed);
    }
  return FailExpected("one of memory_order_relaxed, consume, acquire, release, acq_rel, seq_cst");
}

bool TestParser::ParseLocationsClause() {
  Advance();
  if (!Expect("["))
    return false;
  while (!Is("]")) {
    Type type;
    if (IsType() && !ParseType(&type))
      return false;
    Observable observable;
    if (!ParseObservable(&observable))
      return false;
    if (!Is("]") && !Expect(";"))
      return false;
  }
  Advance();
  return true;
}

bool TestParser::ParseCondition() {
  if (Is("filter"))
    return Fail(token_.position, "'filter' is not supported; put it into the condition");
  if (Accept("exists")) {
    program_->quantifier = Quantifier::kExists;
  } else if (Accept("forall")) {
    program_->quantifier = Quantifier::kForall;
  } else if (Accept("~") || Accept("not")) {
    program_->quantifier = Quantifier::kNotExists;
    if (!Expect("exists"))
      return false;
  } else {
    return FailExpected("'P" + std::to_string(program_->threads.size()) +
                        "', 'locations', 'exists', '~exists' or 'forall'");
  }
  return ParseProposition(&program_->condition);
}

bool TestParser::ParseProposition(Proposition *proposition) {
  Nesting nesting(this);
  if (!nesting.Check() || !ParseDisjunction(proposition))
    return false;
  Position position = token_.position;
  if (!Accept("=>"))
    return true;
  Proposition implies;
  implies.kind = Proposition::Kind::kImplies;
  implies.position = position;
  implies.operands.push_back(std::move(*proposition));
  implies.operands.emplace_back();
  if (!ParseProposition(&implies.operands[1]))
    return false;
  *proposition = std::move(implies);
  return true;
}

bool TestParser::ParseDisjunction(Proposition *proposition) {
  if (!ParseConjunction(proposition))
    return false;
  if (!Is("\\/"))
    return true;
  Proposition chain;
  chain.kind = Proposition::Kind::kOr;
  chain.position = token_.position;
  chain.operands.push_back(std::move(*proposition));
  while (Accept("\\/")) {
    chain.operands.emplace_back();
    if (!ParseConjunction(&chain.operands.back()))
      return false;
  }
  *proposition = std::move(chain);
  return true;
}

bool TestParser::ParseConjunction(Proposition *proposition) {
  if (!ParseNegation(proposition))
    return false;
  if (!Is("/\\"))
    return true;
  Proposition chain;
  chain.kind = Proposition::Kind::kAnd;
  chain.position = token_.position;
  chain.operands.push_back(std::move(*proposition));
  while (Accept("/\\")) {
    chain.operands.emplace_back();
    if (!ParseNegation(&chain.operands.back()))
      return false;
  }
  *proposition = std::move(chain);
  return true;
}

bool TestParser::ParseNegation(Proposition *proposition) {
  Nesting nesting(this);
  if (!nesting.Check())
    return false;
  proposition->position = token_.position;
  if (Accept("~") || Accept("not")) {
    proposition->kind = Proposition::Kind::kNot;
    proposition->operands.emplace_back();
    return ParseNegation(&proposition->operands[0]);
  }
  if (Accept("("))
    return ParseProposition(proposition) && Expect(")");
  if (Accept("true")) {
    proposition->kind = Proposition::Kind::kTrue;
    return true;
  }
  if (Accept("false")) {
    proposition->kind = Proposition::Kind::kFalse;
    return true;
  }
  return ParseAtom(proposition);
}

bool TestParser::ParseAtom(Proposition *proposition) {
  Proposition equals;
  equals.kind = Proposition::Kind::kEquals;
  equals.position = token_.position;
  if (!ParseObservable(&equals.observable))
    return false;
  bool negated = Is("<>") || Is("!=");
  if (!negated && !Is("=") && !Is("=="))
    return FailExpected("'='");
  Advance();
  if (!ParseInteger(&equals.constant))
    return false;
  if (!negated) {
    *proposition = std::move(equals);
    return true;
  }
  proposition->kind = Proposition::Kind::kNot;
  proposition->position = equals.position;
  proposition->operands.push_back(std::move(equals));
  return true;
}

// "0:r0", "x" or "[x]"
bool TestParser::ParseObservable(Observable *observable) {
  Token name;
  if (token_.kind == TokenKind::kNumber) {
    Position position = token_.position;
    Value thread;
    if (!ParseDigits(false, &thread))
      return false;
    if (static_cast<uint64_t>(thread) >= program_->threads.size())
      return Fail(position, "there is no thread P" + std::to_string(thread));
    if (!Expect(":") || !ExpectName("a register", &name))
      return false;
    const std::vector<std::string> &registers = program_->threads[thread].registers;
    auto found = std::find(registers.begin(), registers.end(), name.text);
    if (found == registers.end())
      return Fail(name.position, "P" + std::to_string(thread) + " has no register " +
                                     Quote(name.text) + Similar(name.text, registers));
    observable->thread = static_cast<int>(thread);
    observable->index = static_cast<int>(found - registers.begin());
  } else {
    bool bracket = Accept("[");
    if (!ExpectName("a register such as 0:r0 or a location", &name))
      return false;
    if (bracket && !Expect("]"))
      return false;
    observable->index = FindLocation(name.text);
    if (observable->index < 0) {
      std::vector<std::string> known;
      for (const Location &location : program_->locations)
        known.push_back(location.name);
      return Fail(name.position,
                  "there is no location " + Quote(name.text) + Similar(name.text, known));
    }
  }
  observed_.insert({observable->thread, observable->index});
  return true;
}

void TestParser::FillObserved() {
  // The set has locations, whose thread is -1, in front.
  for (auto [thread, index] : observed_)
    if (thread >= 0)
      program_->observed.push_back({thread, index});
  for (auto [thread, index] : observed_)
    if (thread < 0)
      program_->observed.push_back({thread, index});
}

class ExpectationParser : TokenParser {
public:
  ExpectationParser(std::string_view text, const Program &program,
                    std::vector<Expectation> *expectations, ParseError *error)
      : TokenParser(text, error), text_(text), program_(program), expectations_(expectations) {}

  bool ParseAll() {
    constexpr std::string_view kStart = "(* expect ";
    for (size_t at = 0; (at = text_.find(kStart, at)) != std::string_view::npos;) {
      at += kStart.size();
      lexer_.SkipTo(at);
      if (!ParseOne())
        return false;
    }
    return true;
  }

private:
  bool ParseOne() {
    Expectation expectation;
    Advance();
    expectation.position = token_.position;
    while (!Is(":")) {
      std::string model;
      if (!ParseModel(&model))
        return false;
      expectation.models.push_back(std::move(model));
    }
    Advance();
    if (expectation.models.empty())
      return Fail(expectation.position, "expected a model after 'expect'");
    Value count;
    if (!ParseInteger(&count))
      return false;
    if (!Accept("state") && !Expect("states"))
      return false;
    for (Value i = 0; i < count; i++) {
      Position position = token_.position;
      State state;
      if (!ParseState(&state))
        return false;
      if (!expectation.states.insert(std::move(state)).second)
        return Fail(position, "this state is listed already");
    }
    // What follows must be the comment's end: another state would be one too many.
    if (!Expect("*"))
      return false;
    if (!Is(")"))
      return FailExpected("')'");
    expectations_->push_back(std::move(expectation));
    return true;
  }

  bool ParseModel(std::string *model) {
    Position position = token_.position;
    if (token_.kind != TokenKind::kIdentifier)
      return FailExpected("a model or ':'");
    *model = token_.text;
    Advance();
    if (Accept("/")) {
      if (token_.kind != TokenKind::kIdentifier)
        return FailExpected("a release sequence such as cxx11");
      *model += "/" + std::string(token_.text);
      Advance();
    }
    if (!models_.insert(*model).second)
      return Fail(position, "there are expectations for " + *model + " already");
    return true;
  }

  bool ParseState(State *state) {
    for (const Observable &observable : program_.observed) {
      if (observable.thread >= 0) {
        const Thread &thread = program_.threads[observable.thread];
        if (token_.kind != TokenKind::kNumber || token_.text != std::to_string(observable.thread))
          return FailExpected(
              Quote(std::to_string(observable.thread) + ":" + thread.registers[observable.index]));
        Advance();
        if (!Expect(":") || !Expect(thread.registers[observable.index]))
          return false;
      } else if (!Expect(program_.locations[observable.index].name)) {
        return false;
      }
      Value value;
      if (!Expect("=") || !ParseInteger(&value) || !Expect(";"))
        return false;
      state->push_back(value);
    }
    return true;
  }

  std::string_view text_;
  const Program &program_;
  std::vector<Expectation> *expectations_;
  std::set<std::string> models_; // that have been named
};

} // namespace

std::string ParseError::ToString() const {
  if (line == 0)
    return file + ": " + message;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + message;
}

bool Parse(std::string_view text, const std::string &file, Program *program, ParseError *error) {
  *program = {};
  *error = {file, 0, 0, {}};
  if (text.size() > ParseLimits::kBytes) {
    error->message = "too long: " + std::to_string(text.size()) + " bytes, the limit is " +
                     std::to_string(ParseLimits::kBytes);
    return false;
  }
  return TestParser(text, program, error).ParseTest();
}

bool ReadFile(const std::string &path, std::string *text, ParseError *error) {
  // Not a stream: those do not tell a directory from an empty file.
  FILE *file = fopen(path.c_str(), "rb");
  bool good = file != nullptr;
  if (good) {
    text->clear();
    char buffer[4096];
    while (size_t size = fread(buffer, 1, sizeof(buffer), file))
      text->append(buffer, size);
    good = !ferror(file);
  }
  if (!good)
    *error = {path, 0, 0, std::string("cannot be read: ") + std::strerror(errno)};
  if (file)
    fclose(file);
  return good;
}

bool ParseFile(const std::string &path, Program *program, ParseError *error) {
  std::string text;
  return ReadFile(path, &text, error) && Parse(text, path, program, error);
}

bool ParseExpectations(std::string_view text, const std::string &file, const Program &program,
                       std::vector<Expectation> *expectations, ParseError *error) {
  expectations->clear();
  *error = {file, 0, 0, {}};
  return ExpectationParser(text, program, expectations, error).ParseAll();
}

const Expectation *Find(const std::vector<Expectation> &expectations, std::string_view model) {
  for (const Expectation &expectation : expectations)
    for (const std::string &name : expectation.models)
      if (name == model)
        return &expectation;
  size_t slash = model.find('/');
  return slash == std::string_view::npos ? nullptr : Find(expectations, model.substr(0, slash));
}

} // namespace heddle::litmus
