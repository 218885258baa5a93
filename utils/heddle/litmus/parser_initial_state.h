// The block before the threads: "{ x = 0; int y = 1; [x] = 1; 0:r0 = 0; int 1:r0; }".
#ifndef HEDDLE_LITMUS_PARSER_INITIAL_STATE_H
#define HEDDLE_LITMUS_PARSER_INITIAL_STATE_H

#include "parser_declarations.h"

#include <map>
#include <string>
#include <vector>

namespace heddle::litmus {

// "0:r0 = 1" is read before the thread that has the register, which therefore sets
// it as its first statement.
struct InitialRegister {
  std::string name;
  Value value;
  Position position;
};
using InitialRegisters = std::map<size_t, std::vector<InitialRegister>>; // by thread

class InitialStateParser : DeclarationParser {
public:
  InitialStateParser(Cursor *cursor, Program *program, InitialRegisters *registers)
      : DeclarationParser(cursor, program), registers_(registers) {}

  bool ParseInitialState();

private:
  bool ParseInitialLocation();
  bool ParseInitialRegister();
  bool ParseInitialValue(Value *value);

  InitialRegisters *registers_;
};

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PARSER_INITIAL_STATE_H
