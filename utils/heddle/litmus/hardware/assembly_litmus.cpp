// The head and the initial state are read token by token, by what reads tests in C; so
// are the clauses behind the code. The code is a table: rows end with ';', columns are
// divided by '|', and what is in a cell is for the instruction set to understand.
#include "assembly_litmus.h"

#include "../parser_conditions.h"
#include "../parser_tokens.h"
#include "../parser_words.h"
#include "assembly_columns.h"

#include <algorithm>
#include <cstdlib>

namespace heddle::litmus::hardware {
namespace {

struct ArchitectureName {
  std::string_view name;
  Architecture architecture;
  bool intel = false; // the syntax
};
constexpr ArchitectureName kArchitectures[] = {{"AArch64", Architecture::kAArch64},
                                               {"ARM", Architecture::kArm},
                                               {"RISCV", Architecture::kRiscV},
                                               {"X86", Architecture::kX86, true},
                                               {"X86_64", Architecture::kX86}};

// What a type's name says of a location: all are 32 bits wide. Registers may have any.
constexpr std::string_view kTypes[] = {"int", "int32_t", "uint32_t", "unsigned", "volatile"};
constexpr std::string_view kOtherTypes[] = {"char",     "short",    "long",     "int8_t",
                                            "int16_t",  "int64_t",  "uint8_t",  "uint16_t",
                                            "uint64_t", "intptr_t", "uintptr_t"};

template <size_t N> bool IsOneOf(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

class AssemblyParser : TokenParser {
public:
  AssemblyParser(Cursor *cursor, std::string_view text, AssemblyTest *test)
      : TokenParser(cursor), text_(text), test_(test) {}

  bool ParseTest() { return ParseHeader() && ParseInitialState() && ParseCode() && ParseEnd(); }

private:
  static constexpr size_t kAnyThread = ~size_t{0};

  struct InitialRegister {
    Position position;
    size_t thread = kAnyThread;
    std::string name;  // with the '%' of a symbolic one
    int location = -1; // or
    Value value = 0;
  };

  bool ParseHeader() {
    Advance();
    const ArchitectureName *found = nullptr;
    for (const ArchitectureName &candidate : kArchitectures)
      if (Is(candidate.name))
        found = &candidate;
    if (!found)
      return FailExpected("'AArch64', 'ARM', 'RISCV', 'X86' or 'X86_64' and the test's name");
    test_->architecture = found->architecture;
    intel_ = found->intel;
    return ParseTestName(&test_->program.name);
  }

  bool ParseInitialState() {
    if (!Expect("{"))
      return false;
    while (!Is("}")) {
      if (Accept(";"))
        continue;
      if (!ParseInitial())
        return false;
      if (!Is("}") && !Expect(";"))
        return false;
    }
    Advance();
    return true;
  }

  // "0:X1=x", "uint64_t 0:X1", "int x=1", "[x]=1"
  bool ParseInitial() {
    Token other_width;
    while (token_.kind == TokenKind::kIdentifier &&
           (IsOneOf(kTypes, token_.text) || IsOneOf(kOtherTypes, token_.text))) {
      if (IsOneOf(kOtherTypes, token_.text))
        other_width = token_;
      Advance();
    }
    bool pointer = Accept("*");
    if (IsThreadNumber() || Is("%"))
      return ParseInitialRegister();
    if (pointer || !other_width.text.empty())
      return Fail(pointer ? token_.position : other_width.position,
                  "locations are 32 bits wide; expected 'int' or no type");
    bool bracket = Accept("[");
    Token name;
    if (!ExpectName("a location or a register such as 0:" + ExampleRegister(), &name))
      return false;
    if (bracket && !Expect("]"))
      return false;
    int location;
    if (!GetLocation(name, &location))
      return false;
    Value value = 0;
    if (Accept("=") && !ParseInteger(&value))
      return false;
    test_->program.locations[location].initial = static_cast<int32_t>(value);
    return true;
  }

  bool ParseInitialRegister() {
    InitialRegister initial;
    initial.position = token_.position;
    if (!Is("%")) {
      Value thread;
      if (!ParseThreadNumber(&thread))
        return false;
      if (static_cast<uint64_t>(thread) >= ParseLimits::kThreads)
        return FailLimit(initial.position, ParseLimits::kThreads, "threads");
      initial.thread = static_cast<size_t>(thread);
    }
    if (!ParseRegister(&initial.name))
      return false;
    if (Accept("=")) {
      Accept("&");
      if (token_.kind == TokenKind::kIdentifier) {
        Token name = token_;
        Advance();
        if (!GetLocation(name, &initial.location))
          return false;
      } else if (!ParseInteger(&initial.value)) {
        return false;
      }
    }
    initial_.push_back(std::move(initial));
    return true;
  }

  bool ParseRegister(std::string *name) {
    bool percent = Accept("%");
    if (percent && HasSymbolicRegisters(test_->architecture)) {
      if (token_.kind != TokenKind::kIdentifier)
        return FailExpected("a symbolic register such as %x0");
      *name = "%" + std::string(token_.text);
      Advance();
      return true;
    }
    if (token_.kind != TokenKind::kIdentifier ||
        !IsRegister(test_->architecture, LowerCase(token_.text)))
      return FailExpected("a register such as " + ExampleRegister());
    *name = token_.text;
    Advance();
    return true;
  }

  std::string ExampleRegister() const {
    switch (test_->architecture) {
    case Architecture::kAArch64:
      return "X0";
    case Architecture::kArm:
      return "R0";
    case Architecture::kRiscV:
      return "x5";
    case Architecture::kX86:
      return "rax";
    }
    return {};
  }

  // Locations need no declaration.
  bool GetLocation(const Token &name, int *location) {
    std::vector<Location> &locations = test_->program.locations;
    for (size_t i = 0; i < locations.size(); i++)
      if (locations[i].name == name.text) {
        *location = static_cast<int>(i);
        return true;
      }
    if (locations.size() == ParseLimits::kLocations)
      return FailLimit(name.position, ParseLimits::kLocations, "locations");
    *location = static_cast<int>(locations.size());
    locations.push_back({std::string(name.text), 0});
    return true;
  }

  bool ParseCode() {
    if (token_.kind == TokenKind::kInvalid)
      return Fail(token_.position, std::string(token_.text));
    size_t begin =
        token_.kind == TokenKind::kEnd ? text_.size() : token_.text.data() - text_.data();
    Columns columns;
    columns.architecture = test_->architecture;
    columns.intel = intel_;
    for (const Location &location : test_->program.locations)
      columns.locations.push_back(location.name);
    if (!ReadColumns(text_, begin, token_.position, &columns, cursor_->error))
      return false;
    for (size_t i = test_->program.locations.size(); i < columns.locations.size(); i++)
      test_->program.locations.push_back({columns.locations[i], 0});
    end_ = columns.end;
    test_->program.threads.resize(columns.threads.size());
    for (size_t t = 0; t < columns.threads.size(); t++) {
      Image &image = columns.threads[t];
      AssemblyThread thread;
      thread.positions = std::move(columns.positions[t]);
      thread.entry.address = kCodeAddress;
      thread.entry.end = image.code.empty()
                             ? kCodeAddress
                             : image.code.rbegin()->first +
                                   static_cast<uint64_t>(image.code.rbegin()->second.size);
      for (size_t i = 0; i < test_->program.locations.size(); i++)
        image.variables.push_back({LocationAddress(i), static_cast<int>(i), -1});
      thread.image = std::move(image);
      test_->threads.push_back(std::move(thread));
    }
    symbolic_ = std::move(columns.symbolic);
    for (const InitialRegister &initial : initial_) {
      size_t thread = initial.thread;
      std::string name;
      if (!FindRegister(initial.position, initial.name, &thread, &name))
        return false;
      test_->threads[thread].entry.registers[name] = initial.location >= 0
                                                         ? LocationAddress(initial.location)
                                                         : static_cast<uint64_t>(initial.value);
    }
    return true;
  }

  // The register itself, and the only thread that has it where none is given.
  bool FindRegister(Position position, const std::string &name, size_t *thread, std::string *real) {
    if (*thread != kAnyThread && *thread >= test_->threads.size())
      return Fail(position, "there is no thread P" + std::to_string(*thread));
    if (name[0] != '%') {
      *real = LowerCase(name);
      return true;
    }
    bool given = *thread != kAnyThread;
    size_t first = given ? *thread : 0, last = given ? *thread : symbolic_.size() - 1;
    *thread = kAnyThread;
    for (size_t t = first; t <= last; t++) {
      auto found = symbolic_[t].find(name);
      if (found == symbolic_[t].end())
        continue;
      if (*thread != kAnyThread)
        return Fail(position, Quote(name) + " is a register of P" + std::to_string(*thread) +
                                  " and of P" + std::to_string(t) + "; write " +
                                  Quote(std::to_string(t) + ":" + name));
      *thread = t;
      *real = found->second;
    }
    if (*thread != kAnyThread)
      return true;
    return Fail(position, given
                              ? "P" + std::to_string(first) + " has no register " + Quote(name) +
                                    " in its code"
                              : "the register " + Quote(name) + " stands in the code of no thread");
  }

  // The parser of conditions wants the threads' registers to be known: here they are
  // those that the clauses name.
  bool ParseEnd() {
    for (size_t i = 0; i < test_->program.locations.size(); i++)
      test_->program.addresses.push_back(static_cast<Value>(LocationAddress(i)));
    cursor_->lexer = Lexer(text_);
    cursor_->lexer.SkipTo(end_);
    Lexer start = cursor_->lexer;
    for (Advance(); token_.kind != TokenKind::kEnd && token_.kind != TokenKind::kInvalid;) {
      Position position = token_.position;
      size_t thread = kAnyThread;
      if (IsThreadNumber()) {
        std::string digits(token_.text.substr(token_.kind == TokenKind::kIdentifier));
        Advance();
        if (!Accept(":"))
          continue;
        thread = std::strtoull(digits.c_str(), nullptr, 10);
        if (thread >= test_->threads.size())
          return Fail(position, "there is no thread P" + digits);
      } else if (!Is("%")) {
        Advance();
        continue;
      }
      std::string name, real;
      if (!ParseRegister(&name) || !FindRegister(position, name, &thread, &real))
        return false;
      std::vector<std::string> &registers = test_->program.threads[thread].registers;
      if (std::find(registers.begin(), registers.end(), name) == registers.end()) {
        registers.push_back(name);
        test_->threads[thread].entry.observed.push_back(real);
      }
    }
    cursor_->lexer = start;
    Advance();
    return ConditionParser(cursor_, &test_->program).ParseEnd();
  }

  bool ExpectName(const std::string &what, Token *name) {
    if (token_.kind != TokenKind::kIdentifier)
      return FailExpected(what);
    *name = token_;
    Advance();
    return true;
  }

  std::string_view text_;
  AssemblyTest *test_;
  bool intel_ = false;
  std::vector<InitialRegister> initial_;
  std::vector<std::map<std::string, std::string>> symbolic_; // as Columns has them
  size_t end_ = 0;                                           // of the code
};

} // namespace

bool IsAssemblyTest(std::string_view text) {
  Lexer lexer(text);
  Token first = lexer.Next(LexerMode::kLitmus);
  return std::any_of(
      std::begin(kArchitectures), std::end(kArchitectures),
      [&](const ArchitectureName &candidate) { return candidate.name == first.text; });
}

bool ParseAssembly(std::string_view text, const std::string &file, AssemblyTest *test,
                   ParseError *error) {
  *test = {};
  *error = {file, 0, 0, {}};
  if (text.size() > ParseLimits::kBytes) {
    error->message = "too long: " + std::to_string(text.size()) + " bytes, the limit is " +
                     std::to_string(ParseLimits::kBytes);
    return false;
  }
  Cursor cursor(text, error);
  return AssemblyParser(&cursor, text, test).ParseTest();
}

namespace {

// The message says at which address, which nobody who wrote the test knows.
std::string WithPlace(const AssemblyThread &thread, const std::string &message) {
  size_t at = message.find(" at 0x");
  if (at == std::string::npos)
    return message;
  auto found = thread.positions.find(std::strtoull(message.c_str() + at + 4, nullptr, 16));
  if (found == thread.positions.end())
    return message;
  return std::to_string(found->second.line) + ":" + std::to_string(found->second.column) + ": " +
         message;
}

std::vector<Trace> ExecuteThread(const AssemblyThread &thread, const Values &values) {
  try {
    return Execute(thread.image, thread.entry, values);
  } catch (const UnknownInstruction &unknown) {
    throw UnknownInstruction(WithPlace(thread, unknown.what()));
  }
}

} // namespace

HardwareProgram MakeHardwareProgram(const AssemblyTest &test) {
  HardwareProgram program;
  program.name = test.program.name;
  program.locations = test.program.locations;
  program.observed = test.program.observed;
  std::vector<ThreadTraces> traces;
  for (const AssemblyThread &thread : test.threads)
    traces.push_back([&thread](const Values &values) { return ExecuteThread(thread, values); });
  MakeTraces(traces, &program);
  return program;
}

namespace {

class ExpectationParser : TokenParser {
public:
  explicit ExpectationParser(Cursor *cursor) : TokenParser(cursor) {}

  bool Parse(AssemblyExpectation *expectation) {
    Advance();
    expectation->allowed = Is("Allowed");
    if (!Accept("Allowed") && !Accept("Forbidden"))
      return FailExpected("'Allowed' or 'Forbidden'");
    if (!Accept(","))
      return Is("*") || FailExpected("',' or '*)'");
    Value states;
    if (!ParseInteger(&states))
      return false;
    expectation->states = static_cast<size_t>(states);
    if (!Accept("state") && !Expect("states"))
      return false;
    return Is("*") || FailExpected("'*)'");
  }
};

} // namespace

std::optional<AssemblyExpectation>
ParseAssemblyExpectation(std::string_view text, const std::string &file, ParseError *error) {
  constexpr std::string_view kStart = "(* expected:";
  *error = {file, 0, 0, {}};
  size_t at = text.find(kStart);
  if (at == std::string_view::npos) {
    error->message = "expected a comment such as '(* expected: Forbidden, 3 states *)', found none";
    return std::nullopt;
  }
  Cursor cursor(text, error);
  cursor.lexer.SkipTo(at + kStart.size());
  AssemblyExpectation expectation;
  if (!ExpectationParser(&cursor).Parse(&expectation))
    return std::nullopt;
  return expectation;
}

} // namespace heddle::litmus::hardware
