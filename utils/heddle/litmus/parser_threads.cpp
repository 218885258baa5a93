// Threads, parameters and statements: they go to the body that is open, in the order
// in which they run.
#include "parser_threads.h"

#include <utility>

namespace heddle::litmus {

bool ThreadParser::ParseThread(bool *found) {
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
  cursor_->mode = LexerMode::kThread;
  Advance();
  if (!ParseParameters() || !AddInitialRegisters(number) || !Expect("{"))
    return false;
  while (!Is("}"))
    if (!ParseStatement())
      return false;
  cursor_->mode = LexerMode::kLitmus;
  Advance();
  return true;
}

bool ThreadParser::ParseParameters() {
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

bool ThreadParser::AddInitialRegisters(size_t thread) {
  auto found = initial_registers_.find(thread);
  if (found == initial_registers_.end())
    return true;
  for (const InitialRegister &initial : found->second) {
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
  return true;
}

bool ThreadParser::ParseBlock() {
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

bool ThreadParser::ParseStatement() {
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
  std::string_view reason = WhyUnsupportedStatement(token_.text);
  if (token_.kind == TokenKind::kIdentifier && !reason.empty())
    return Fail(token_.position, std::string(reason));
  Token name;
  if (!ExpectName("a statement", &name))
    return false;
  if (!Is("("))
    return ParseAssignment(name);
  Statement statement;
  return ParseCall(name, &statement) && AddStatement(std::move(statement)) && Expect(";");
}

bool ThreadParser::ParseIf() {
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

bool ThreadParser::ParseDeclaration() {
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

bool ThreadParser::ParseAssignment(const Token &name) {
  int index = -1;
  if (names_.parameters.count(name.text))
    return Fail(name.position,
                Quote(name.text) + " is a location: write to it with atomic_store_explicit");
  return UseRegister(name, &index) && ParseAssigned(name.position, index) && Expect(";");
}

bool ThreadParser::ParseAssigned(Position position, int target) {
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
bool ThreadParser::ParseDereference() {
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

bool ThreadParser::AddStatement(Statement statement) {
  if (statements_ == ParseLimits::kStatements)
    return FailLimit(statement.position, ParseLimits::kStatements, "statements");
  statements_++;
  body_->push_back(std::move(statement));
  return true;
}

} // namespace heddle::litmus
