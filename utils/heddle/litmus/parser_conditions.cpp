// A proposition binds as in herd: \/ weakest, then /\, then => to the right, then ~. That
// `a /\ b => c` is `a /\ (b => c)` surprises, but a test has to mean the same here. Chains of
// \/ and of /\ become one node each, read in a loop, so that a long condition is not a deep one.
#include "parser_conditions.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::litmus {

bool ConditionParser::ParseEnd() {
  program_->quantifier = Quantifier::kForall;
  if (!ParseLocationsClauses())
    return false;
  if (Accept("filter") && !ParseProposition(&program_->filter))
    return false;
  if (token_.kind != TokenKind::kEnd && !ParseCondition())
    return false;
  Accept(";"); // as a few published tests end
  if (!ParseLocationsClauses())
    return false;
  if (token_.kind != TokenKind::kEnd)
    return FailExpected("end of file");
  FillObserved();
  return true;
}

bool ConditionParser::ParseLocationsClauses() {
  while (Is("locations"))
    if (!ParseLocationsClause())
      return false;
  return true;
}

bool ConditionParser::ParseLocationsClause() {
  Advance();
  if (!Expect("["))
    return false;
  // A type may stand behind what it is of, as in herd, or in front of it. It says how herd
  // prints the value.
  while (!Is("]")) {
    Type type;
    if (IsType() && !ParseType(&type))
      return false;
    Observable observable;
    if (!ParseObservable(&observable))
      return false;
    if (IsType() && !ParseType(&type))
      return false;
    Accept("*");
    if (!Is("]") && !Expect(";"))
      return false;
  }
  Advance();
  return true;
}

bool ConditionParser::ParseCondition() {
  if (Is("observed") || Is("Observed"))
    return Fail(token_.position, "lists of observed states are not supported; use 'exists'");
  // herd's older forms of it: "final (x=1)" and "(x=1)".
  if (Accept("exists") || Accept("final") || Is("(")) {
    program_->quantifier = Quantifier::kExists;
  } else if (Accept("forall")) {
    program_->quantifier = Quantifier::kForall;
  } else if (Accept("~") || Accept("not")) {
    program_->quantifier = Quantifier::kNotExists;
    if (!Expect("exists"))
      return false;
  } else {
    return FailExpected("'P" + std::to_string(program_->threads.size()) +
                        "', 'locations', 'filter', 'exists', '~exists' or 'forall'");
  }
  if (!ParseProposition(&program_->condition))
    return false;
  if (Is("with"))
    return Fail(token_.position, "conditions for several models are not supported: expected the "
                                 "end of the condition, found 'with'");
  return true;
}

bool ConditionParser::ParseProposition(Proposition *proposition) {
  Nesting nesting(this);
  return nesting.Check() &&
         ParseChain("\\/", Proposition::Kind::kOr, &ConditionParser::ParseConjunction, proposition);
}

bool ConditionParser::ParseConjunction(Proposition *proposition) {
  return ParseChain("/\\", Proposition::Kind::kAnd, &ConditionParser::ParseImplication,
                    proposition);
}

bool ConditionParser::ParseChain(std::string_view separator, Proposition::Kind kind,
                                 bool (ConditionParser::*parse)(Proposition *),
                                 Proposition *proposition) {
  if (!(this->*parse)(proposition))
    return false;
  if (!Is(separator))
    return true;
  Proposition chain;
  chain.kind = kind;
  chain.position = token_.position;
  chain.operands.push_back(std::move(*proposition));
  while (Accept(separator)) {
    chain.operands.emplace_back();
    if (!(this->*parse)(&chain.operands.back()))
      return false;
  }
  *proposition = std::move(chain);
  return true;
}

bool ConditionParser::ParseImplication(Proposition *proposition) {
  Nesting nesting(this);
  if (!nesting.Check() || !ParseNegation(proposition))
    return false;
  Position position = token_.position;
  if (!Accept("=>"))
    return true;
  Proposition implies;
  implies.kind = Proposition::Kind::kImplies;
  implies.position = position;
  implies.operands.push_back(std::move(*proposition));
  implies.operands.emplace_back();
  if (!ParseImplication(&implies.operands[1]))
    return false;
  *proposition = std::move(implies);
  return true;
}

bool ConditionParser::ParseNegation(Proposition *proposition) {
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

bool ConditionParser::ParseAtom(Proposition *proposition) {
  Proposition equals;
  equals.kind = Proposition::Kind::kEquals;
  equals.position = token_.position;
  if (!ParseObservable(&equals.observable))
    return false;
  bool negated = Is("<>") || Is("!=");
  if (!negated && !Is("=") && !Is("=="))
    return FailExpected("'='");
  Advance();
  if (!ParseCompared(&equals))
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

// What the observable is compared with: a number, what another register or, as "[x]" or
// "*x", another location holds, or as "x" the address of a location.
bool ConditionParser::ParseCompared(Proposition *equals) {
  bool location = Is("[") || Accept("*");
  if (token_.kind == TokenKind::kIdentifier && !location && !IsThreadNumber()) {
    Token name = token_;
    if (FindLocation(name.text) < 0 && FindLocation(std::string(name.text) + "[0]") < 0)
      return FailExpected("an integer");
    if (program_->addresses.empty())
      return Fail(name.position, "addresses are not supported as values; " +
                                     Quote("[" + std::string(name.text) + "]") +
                                     " is what the location holds");
    Observable target;
    if (!ParseMemory(&target))
      return false;
    equals->constant = program_->addresses[target.index];
    return true;
  }
  // "1" is a number, "1:r0" a register.
  bool number = token_.kind == TokenKind::kNumber && cursor_->lexer.PeekPast() != ':';
  if (number || Is("-"))
    return ParseInteger(&equals->constant);
  if (!location && !IsThreadNumber() && !Is("%"))
    return FailExpected("an integer");
  equals->kind = Proposition::Kind::kSame;
  return ParseObservable(&equals->other);
}

// "0:r0", "P0:r0", "x" or "[x]". In assembly a register may be "%r0", without a thread if
// only one has it.
bool ConditionParser::ParseObservable(Observable *observable) {
  if (!(IsThreadNumber() || Is("%") ? ParseRegister(observable) : ParseMemory(observable)))
    return false;
  observed_.insert({observable->thread, observable->index});
  return true;
}

bool ConditionParser::ParseRegister(Observable *observable) {
  Position position = token_.position;
  Value thread = -1;
  if (!Is("%") && !ParseThreadNumber(&thread))
    return false;
  if (thread >= 0 && static_cast<uint64_t>(thread) >= program_->threads.size())
    return Fail(position, "there is no thread P" + std::to_string(thread));
  bool symbolic = Accept("%");
  Token name;
  if (!ExpectName("a register", &name))
    return false;
  // X86_64 writes "%rax" for what is "rax" elsewhere.
  for (std::string spelled : {"%" + std::string(name.text), std::string(name.text)})
    for (size_t t = 0; t < program_->threads.size(); t++) {
      const std::vector<std::string> &registers = program_->threads[t].registers;
      auto found = std::find(registers.begin(), registers.end(), spelled);
      if ((thread < 0 || static_cast<size_t>(thread) == t) && found != registers.end() &&
          (symbolic || spelled[0] != '%')) {
        observable->thread = static_cast<int>(t);
        observable->index = static_cast<int>(found - registers.begin());
        return true;
      }
    }
  if (thread < 0)
    return Fail(name.position, "no thread has a register " + Quote("%" + std::string(name.text)));
  return Fail(name.position, "P" + std::to_string(thread) + " has no register " +
                                 Quote((symbolic ? "%" : "") + std::string(name.text)) +
                                 Similar(name.text, program_->threads[thread].registers));
}

bool ConditionParser::ParseMemory(Observable *observable) {
  bool bracket = Accept("[");
  Token name;
  if (!ExpectName("a register such as 0:r0 or a location", &name))
    return false;
  if ((name.text == "fault" || name.text == "Fault") && Is("("))
    return Fail(name.position, "faults are not supported");
  std::string spelled(name.text);
  if (!bracket && Is("[")) {
    if (program_->addresses.empty())
      return Fail(token_.position, "arrays are not supported");
    Advance();
    Value element;
    if (!ParseInteger(&element) || !Expect("]"))
      return false;
    spelled += "[" + std::to_string(element) + "]";
  }
  if (bracket && !Expect("]"))
    return false;
  observable->index = FindLocation(spelled);
  // An array's name is that of its first element.
  if (observable->index < 0)
    observable->index = FindLocation(spelled + "[0]");
  if (observable->index >= 0)
    return true;
  std::vector<std::string> known;
  for (const Location &location : program_->locations)
    known.push_back(location.name);
  return Fail(name.position, "there is no location " + Quote(spelled) + Similar(spelled, known));
}

void ConditionParser::FillObserved() {
  // The set has locations, whose thread is -1, in front.
  for (auto [thread, index] : observed_)
    if (thread >= 0)
      program_->observed.push_back({thread, index});
  for (auto [thread, index] : observed_)
    if (thread < 0)
      program_->observed.push_back({thread, index});
}

} // namespace heddle::litmus
