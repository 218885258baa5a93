// Which name is which register of a thread. A register outlives its block, so that
// a condition can name it: blocks that exclude or follow each other and declare the
// same name share one. The hidden ones hold the results of operations inside
// expressions.
#include "parser_threads.h"

#include <utility>

namespace heddle::litmus {

bool ThreadParser::DeclareRegister(std::string_view name, Position position, int *index) {
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

bool ThreadParser::UseRegister(const Token &name, int *index) {
  std::string thread = "P" + std::to_string(program_->threads.size() - 1);
  auto found = names_.registers.find(name.text);
  if (found == names_.registers.end()) {
    if (names_.parameters.count(name.text))
      return Fail(name.position, Quote(name.text) + " is a location, no register: read it with "
                                                    "atomic_load_explicit");
    if (FindLocation(name.text) >= 0)
      return Fail(name.position,
                  Quote(name.text) + " is a location, but no parameter of " + thread);
    if (Is("{"))
      return Fail(name.position, Quote(name.text) + " with an annotation in braces is not "
                                                    "supported: it is of another model than C's");
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
int ThreadParser::AddHiddenRegister() {
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

void ThreadParser::DropHiddenRegister() {
  std::vector<std::string> &registers = program_->threads.back().registers;
  names_.registers.erase(registers.back());
  names_.in_scope.pop_back();
  registers.pop_back();
  names_.hidden--;
}

} // namespace heddle::litmus
