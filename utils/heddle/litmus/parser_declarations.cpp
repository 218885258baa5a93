// Types, of which only "atomic" and "pointer" matter, since all integers are 64 bits
// wide here; and locations, by name.
#include "parser_declarations.h"

namespace heddle::litmus {

bool DeclarationParser::AcceptBaseType(Type *type) {
  bool atomic = IsAtomicType(token_.text), found = atomic || IsIntegerType(token_.text);
  if (!found)
    return false;
  type->atomic |= atomic;
  Advance();
  // "unsigned long long int"
  while (!atomic && IsIntegerType(token_.text))
    Advance();
  return true;
}

bool DeclarationParser::ParseType(Type *type) {
  bool found = false;
  while (IsType()) {
    if (std::string_view reason = WhyUnsupportedType(token_.text); !reason.empty())
      return Fail(token_.position,
                  "type " + Quote(token_.text) + " is not supported: " + std::string(reason));
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

int DeclarationParser::FindLocation(std::string_view name) const {
  for (size_t i = 0; i < program_->locations.size(); i++)
    if (program_->locations[i].name == name)
      return static_cast<int>(i);
  return -1;
}

bool DeclarationParser::AddLocation(const Token &name, int *location) {
  // A condition could not name it.
  if (IsThreadName(name.text))
    return Fail(name.position, Quote(name.text) + " is a thread, no location");
  if (program_->locations.size() == ParseLimits::kLocations)
    return FailLimit(name.position, ParseLimits::kLocations, "locations");
  *location = static_cast<int>(program_->locations.size());
  program_->locations.push_back({std::string(name.text), 0});
  return true;
}

} // namespace heddle::litmus
