// Locations are declared at once; registers are kept for their threads.
#include "parser_initial_state.h"

#include <cstdint>

namespace heddle::litmus {

bool InitialStateParser::ParseInitialState() {
  if (!Expect("{"))
    return false;
  while (!Is("}")) {
    if (Accept(";"))
      continue;
    Type type;
    if (IsType() && !ParseType(&type))
      return false;
    if (!(IsThreadNumber() ? ParseInitialRegister() : ParseInitialLocation()))
      return false;
    if (!Is("}") && !Expect(";"))
      return false;
  }
  return Expect("}");
}

bool InitialStateParser::ParseInitialLocation() {
  bool bracket = Accept("[");
  Token name;
  if (!ExpectName("a location", &name))
    return false;
  if (bracket && !Expect("]"))
    return false;
  if (Is("["))
    return Fail(token_.position, "arrays are not supported");
  int location = FindLocation(name.text);
  // "[x] = 1" may follow "int x;". Else a location stands here once.
  if (location >= 0 && !bracket)
    return Fail(name.position, Quote(name.text) + " is declared already");
  if (location < 0 && !AddLocation(name, &location))
    return false;
  return !Accept("=") || ParseInitialValue(&program_->locations[location].initial);
}

// A number, or as in the Linux kernel "ATOMIC_INIT(1)".
bool InitialStateParser::ParseInitialValue(Value *value) {
  if (Accept("ATOMIC_INIT"))
    return Expect("(") && ParseInteger(value) && Expect(")");
  if (token_.kind == TokenKind::kIdentifier || Is("&"))
    return Fail(token_.position, "addresses are not supported as values: expected an integer, "
                                 "found " +
                                     Describe(token_));
  return ParseInteger(value);
}

bool InitialStateParser::ParseInitialRegister() {
  Token number = token_;
  Value thread;
  if (!ParseThreadNumber(&thread))
    return false;
  if (static_cast<uint64_t>(thread) >= ParseLimits::kThreads)
    return FailLimit(number.position, ParseLimits::kThreads, "threads");
  Token name;
  Value value = 0;
  if (!ExpectName("a register", &name) || (Accept("=") && !ParseInitialValue(&value)))
    return false;
  (*registers_)[thread].push_back({std::string(name.text), value, name.position});
  return true;
}

} // namespace heddle::litmus
