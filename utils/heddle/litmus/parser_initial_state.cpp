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
    if (!(IsThreadNumber() ? ParseInitialRegister() : ParseInitialLocation()))
      return false;
    if (!Is("}") && !Expect(";"))
      return false;
  }
  return Expect("}");
}

bool InitialStateParser::ParseInitialLocation() {
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
  return !Accept("=") || ParseInteger(&program_->locations[location].initial);
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
  if (!ExpectName("a register", &name) || !Expect("=") || !ParseInteger(&value))
    return false;
  (*registers_)[thread].push_back({std::string(name.text), value, name.position});
  return true;
}

} // namespace heddle::litmus
