// What follows the threads: the `locations` clauses and the condition, and from
// both what is observed.
#ifndef HEDDLE_LITMUS_PARSER_CONDITIONS_H
#define HEDDLE_LITMUS_PARSER_CONDITIONS_H

#include "parser_declarations.h"

#include <set>
#include <utility>

namespace heddle::litmus {

class ConditionParser : DeclarationParser {
public:
  ConditionParser(Cursor *cursor, Program *program) : DeclarationParser(cursor, program) {}

  // All up to the end of the file.
  bool ParseEnd();

private:
  bool ParseLocationsClauses();
  bool ParseLocationsClause();
  bool ParseCondition();
  bool ParseProposition(Proposition *proposition);
  bool ParseChain(std::string_view separator, Proposition::Kind kind,
                  bool (ConditionParser::*parse)(Proposition *), Proposition *proposition);
  bool ParseConjunction(Proposition *proposition);
  bool ParseImplication(Proposition *proposition);
  bool ParseNegation(Proposition *proposition);
  bool ParseAtom(Proposition *proposition);
  bool ParseCompared(Proposition *equals);
  bool ParseObservable(Observable *observable);
  bool ParseRegister(Observable *observable);
  bool ParseMemory(Observable *observable);
  void FillObserved();

  std::set<std::pair<int, int>> observed_; // thread and index
};

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PARSER_CONDITIONS_H
