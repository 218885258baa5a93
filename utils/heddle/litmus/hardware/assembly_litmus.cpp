// The head and the initial state are read token by token, by what reads tests in C; so
// are the clauses behind the code. The code is a table: rows end with ';', columns are
// divided by '|', and what is in a cell is for the instruction set to understand.
#include "assembly_litmus.h"

#include "../parser_conditions.h"
#include "../parser_tokens.h"
#include "../parser_words.h"
#include "assembly_columns.h"
#include "execute.h"

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

// What a type's name says of a location.
struct TypeName {
  std::string_view name;
  int size; // in bytes
  bool is_signed = true;
};
constexpr TypeName kTypes[] = {{"char", 1},
                               {"int8_t", 1},
                               {"uint8_t", 1, false},
                               {"short", 2},
                               {"int16_t", 2},
                               {"uint16_t", 2, false},
                               {"int", 4},
                               {"int32_t", 4},
                               {"uint32_t", 4, false},
                               {"unsigned", 4, false},
                               {"long", 8},
                               {"int64_t", 8},
                               {"uint64_t", 8, false},
                               {"intptr_t", 8},
                               {"uintptr_t", 8, false}};
constexpr std::string_view kWideTypes[] = {"__int128", "__uint128", "__int128_t", "__uint128_t"};

const TypeName *FindType(std::string_view name) {
  auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                            [&](const TypeName &type) { return type.name == name; });
  return found == std::end(kTypes) ? nullptr : found;
}

// What herd's initial states have beside these, with what it is for.
struct Unsupported {
  std::string_view word, reason;
};
constexpr Unsupported kUnsupported[] = {
    {"PTE", "page tables are not supported"},   {"TTD", "page tables are not supported"},
    {"PA", "page tables are not supported"},    {"tag", "memory tags are not supported"},
    {"TAG", "memory tags are not supported"},   {"instr", "code as data is not supported"},
    {"label", "code as data is not supported"},
};

class AssemblyParser : TokenParser {
public:
  AssemblyParser(Cursor *cursor, std::string_view text, AssemblyTest *test)
      : TokenParser(cursor), text_(text), test_(test) {}

  bool ParseTest() { return ParseHeader() && ParseInitialState() && ParseCode() && ParseEnd(); }

private:
  static constexpr size_t kAnyThread = ~size_t{0};

  // The address of a location or of an element of an array, or a number.
  struct InitialValue {
    int location = -1, element = 0;
    Value number = 0;
    Position position;
  };

  struct InitialRegister {
    Position position;
    size_t thread = kAnyThread;
    std::string name; // with the '%' of a symbolic one
    InitialValue value;
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

  // "0:X1=x", "uint64_t 0:X1", "int x=1", "[x]=1", "int *p=&x"
  bool ParseInitial() {
    const TypeName *type = nullptr;
    for (;;) {
      if (std::count(std::begin(kWideTypes), std::end(kWideTypes), token_.text))
        return Fail(token_.position, "a location has 64 bits at most; found " + Describe(token_));
      if (const TypeName *found = FindType(token_.text))
        type = found;
      else if (!Is("volatile") && !Is("_Atomic") && !Is("const"))
        break;
      Advance();
    }
    if (Accept("*"))
      type = Pointer();
    if (IsThreadNumber() || Is("%"))
      return ParseInitialRegister();
    bool bracket = Accept("[");
    Token name;
    if (!RefuseUnsupported() ||
        !ExpectName("a location or a register such as 0:" + ExampleRegister(), &name))
      return false;
    if (bracket && !Expect("]"))
      return false;
    if (Is(":"))
      return Fail(token_.position, "memory tags are not supported");
    int location;
    if (!GetLocation(name, &location))
      return false;
    if (Is("["))
      return ParseArray(location, type ? type : FindType("int"));
    InitialValue value;
    if (Accept("=") && !ParseInitialValue(&value))
      return false;
    if (type || value.location >= 0)
      types_[location] = type ? type : Pointer();
    values_[location] = value;
    return true;
  }

  // "[2]" or "[2]={1,2}". The elements are locations, "v[0]" and so on, next to each other.
  bool ParseArray(int base, const TypeName *type) {
    constexpr Value kMostBytes = 64; // that lie between two locations
    Position position = token_.position;
    // There "(v)" is an address.
    if (test_->architecture == Architecture::kX86)
      return Fail(position, "arrays are not supported in tests for x86");
    Value size;
    Advance();
    if (!ParseInteger(&size) || !Expect("]"))
      return false;
    if (size < 1 || size > kMostBytes / type->size)
      return Fail(position, "an array has 64 bytes at most");
    std::string name = test_->program.locations[base].name;
    if (name.back() == ']')
      return Fail(position, "this array is declared already");
    test_->program.locations[base].name = name + "[0]";
    types_[base] = type;
    std::vector<int> elements = {base};
    for (Value i = 1; i < size; i++) {
      if (test_->program.locations.size() == ParseLimits::kLocations)
        return FailLimit(position, ParseLimits::kLocations, "locations");
      elements.push_back(static_cast<int>(test_->program.locations.size()));
      test_->program.locations.push_back({name + "[" + std::to_string(i) + "]", 0});
      types_[elements.back()] = type;
      elements_[elements.back()] = {base, i * type->size};
    }
    if (!Accept("="))
      return true;
    for (size_t i = 0; i < elements.size(); i++)
      if (!Expect(i ? "," : "{") || !ParseInitialValue(&values_[elements[i]]))
        return false;
    return Expect("}");
  }

  uint64_t AddressOf(int location) const {
    auto element = elements_.find(location);
    return element == elements_.end()
               ? LocationAddress(location)
               : LocationAddress(element->second.first) + element->second.second;
  }

  bool Evaluate(const InitialValue &value, uint64_t *result) {
    *result = static_cast<uint64_t>(value.number);
    if (value.location < 0)
      return true;
    auto type = types_.find(value.location);
    *result =
        AddressOf(value.location) + value.element * (type == types_.end() ? 4 : type->second->size);
    for (size_t i = 0; i < test_->program.locations.size(); i++)
      if (AddressOf(i) == *result)
        return true;
    return Fail(value.position, "there is no such element of an array");
  }

  // "x", "&x", "v[1]" or a number.
  bool ParseInitialValue(InitialValue *value) {
    value->position = token_.position;
    bool address = Accept("&");
    if (Is("("))
      return Fail(token_.position, "page tables are not supported");
    if (IsThreadNumber() &&
        (token_.kind == TokenKind::kIdentifier || cursor_->lexer.PeekPast() == ':'))
      return Fail(token_.position, "code as data is not supported");
    if (token_.kind != TokenKind::kIdentifier)
      return address ? FailExpected("a location") : ParseInteger(&value->number);
    if (!RefuseUnsupported())
      return false;
    Token name = token_;
    Advance();
    if (Is(":"))
      return Fail(token_.position, "memory tags are not supported");
    if (!GetLocation(name, &value->location))
      return false;
    Value element = 0;
    if (Accept("[") && (!ParseInteger(&element) || !Expect("]")))
      return false;
    if (element < 0 || element >= 64)
      return Fail(value->position, "there is no such element of an array");
    value->element = static_cast<int>(element);
    return true;
  }

  bool RefuseUnsupported() {
    for (const Unsupported &unsupported : kUnsupported)
      if (Is(unsupported.word) &&
          (cursor_->lexer.PeekPast() == '(' || cursor_->lexer.PeekPast() == ':'))
        return Fail(token_.position, std::string(unsupported.reason));
    return true;
  }

  const TypeName *Pointer() const {
    bool narrow = intel_ || test_->architecture == Architecture::kArm;
    return FindType(narrow ? "uint32_t" : "uint64_t");
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
    if (Accept("=") && !ParseInitialValue(&initial.value))
      return false;
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
      if (locations[i].name == name.text || locations[i].name == std::string(name.text) + "[0]") {
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
    for (const auto &[location, value] : values_) {
      uint64_t initial = 0;
      if (!Evaluate(value, &initial))
        return false;
      test_->program.locations[location].initial = static_cast<Value>(initial);
    }
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
      image.exclusives_may_fail = true;
      for (size_t i = 0; i < test_->program.locations.size(); i++) {
        Variable variable{AddressOf(i), static_cast<int>(i)};
        if (auto type = types_.find(i); type != types_.end()) {
          variable.size = type->second->size;
          variable.is_signed = type->second->is_signed;
        }
        image.variables.push_back(variable);
      }
      thread.image = std::move(image);
      test_->threads.push_back(std::move(thread));
    }
    for (size_t i = 0; i < test_->program.locations.size(); i++)
      test_->typed.push_back(types_.count(i));
    symbolic_ = std::move(columns.symbolic);
    for (const InitialRegister &initial : initial_) {
      size_t thread = initial.thread;
      std::string name;
      if (!FindRegister(initial.position, initial.name, &thread, &name))
        return false;
      if (!Evaluate(initial.value, &test_->threads[thread].entry.registers[name]))
        return false;
    }
    return true;
  }

  // The register itself, and the only thread that has it where none is given.
  bool FindRegister(Position position, const std::string &name, size_t *thread, std::string *real) {
    if (*thread != kAnyThread && *thread >= test_->threads.size())
      return Fail(position, "there is no thread P" + std::to_string(*thread));
    if (name[0] != '%') {
      if (*thread == kAnyThread)
        return Fail(position,
                    "expected a thread in front of " + Quote(name) + ": '0:" + name + "'");
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
      test_->program.addresses.push_back(static_cast<Value>(AddressOf(i)));
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
    if (!ConditionParser(cursor_, &test_->program).ParseEnd())
      return false;
    AdaptConstants(&test_->program.condition);
    AdaptConstants(&test_->program.filter);
    return true;
  }

  // To what is seen of registers.
  static void AdaptConstants(Proposition *proposition) {
    if (proposition->kind == Proposition::Kind::kEquals && proposition->observable.thread >= 0)
      proposition->constant = ObservedValue(static_cast<uint64_t>(proposition->constant));
    for (Proposition &operand : proposition->operands)
      AdaptConstants(&operand);
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
  std::map<int, const TypeName *> types_; // of the locations that have one
  std::map<int, InitialValue> values_;    // of the locations
  // Of the elements of arrays but the first: the first, and the offset from there.
  std::map<int, std::pair<int, uint64_t>> elements_;
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
  } catch (const OtherWidth &other) {
    auto found = thread.positions.find(other.instruction);
    if (found == thread.positions.end())
      throw;
    throw OtherWidth(std::to_string(found->second.line) + ":" +
                         std::to_string(found->second.column) + ": ",
                     other.location, other.size, other.instruction);
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
  std::vector<AssemblyThread> threads = test.threads;
  std::vector<bool> typed = test.typed;
  for (const AssemblyThread &thread : threads)
    traces.push_back([&thread](const Values &values) { return ExecuteThread(thread, values); });
  // A location without a type is as wide as the first access to it that is executed.
  for (;;) {
    for (const Variable &variable : threads[0].image.variables) {
      uint64_t initial = static_cast<uint64_t>(test.program.locations[variable.location].initial);
      program.locations[variable.location].initial =
          variable.is_signed ? SignExtend(initial, 8 * variable.size)
                             : static_cast<Value>(LowBits(initial, 8 * variable.size));
    }
    try {
      MakeTraces(traces, &program);
      return program;
    } catch (const OtherWidth &other) {
      Variable &variable = threads[0].image.variables[other.location];
      if (typed[other.location])
        throw UnknownInstruction(std::string(other.what()) +
                                 "accesses of mixed size are not "
                                 "supported: this one has " +
                                 std::to_string(other.size) + " bytes, " +
                                 Quote(program.locations[other.location].name) + " " +
                                 std::to_string(variable.size));
      typed[other.location] = true;
      for (AssemblyThread &thread : threads)
        thread.image.variables[other.location].size = other.size;
    }
  }
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
