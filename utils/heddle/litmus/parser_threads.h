// The threads: C, as far as a test may use it. One class, since statements,
// expressions and calls are each made of the others; a file for each:
//
//   parser_threads.cpp      threads, parameters, statements
//   parser_registers.cpp    which name is which register, and where
//   parser_expressions.cpp  expressions, and the operations inside them
//   parser_calls.cpp        the atomic functions, their locations and orders
#ifndef HEDDLE_LITMUS_PARSER_THREADS_H
#define HEDDLE_LITMUS_PARSER_THREADS_H

#include "parser_initial_state.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus {

class ThreadParser : DeclarationParser {
public:
  ThreadParser(Cursor *cursor, Program *program, const InitialRegisters &initial_registers)
      : DeclarationParser(cursor, program), initial_registers_(initial_registers) {}

  // The next thread. *found: there was one.
  bool ParseThread(bool *found);

private:
  using Kind = Statement::Kind;

  struct Parameter {
    int location;
    bool atomic;
  };
  // The thread being parsed.
  struct ThreadNames {
    std::map<std::string, Parameter, std::less<>> parameters;
    std::map<std::string, int, std::less<>> registers;
    std::vector<bool> in_scope;           // by register
    std::vector<std::vector<int>> scopes; // the registers each open block declared
    std::set<int> from_initial_state;     // may be declared once more
    int initialised = -1;                 // the register whose initialiser is being read
    int hidden = 0;
  };

  bool ParseParameters();
  bool AddInitialRegisters(size_t thread);
  bool ParseBlock();
  bool ParseStatement();
  bool ParseIf();
  bool ParseDeclaration();
  bool ParseAssignment(const Token &name);
  bool ParseDereference();
  // "= value" of a declaration or an assignment to `target`.
  bool ParseAssigned(Position position, int target);
  bool AddStatement(Statement statement);

  bool DeclareRegister(std::string_view name, Position position, int *index);
  bool UseRegister(const Token &name, int *index);
  int AddHiddenRegister();
  void DropHiddenRegister();

  // An expression that begins a new evaluation: it may hold one operation of its
  // own. *operation: it is nothing but an operation, the last statement added.
  bool ParseValue(Expression *value, bool *operation = nullptr);
  bool ParseBinary(int precedence, Expression *expression, int *height);
  bool ParseUnary(Expression *expression, int *height);
  bool ParsePrimary(Expression *expression, int *height);
  // Adds an operation inside an expression, which uses its result.
  bool AddOperation(Statement statement, Expression *result);
  bool CheckOperationAllowed(Position position);

  bool ParseCall(const Token &name, Statement *statement);
  bool ParseLocation(int *location);
  bool ParseOrder(Order *order, Kind kind, const char *what);

  const InitialRegisters &initial_registers_;
  ThreadNames names_;
  std::vector<Statement> *body_ = nullptr; // where statements go
  size_t statements_ = 0;                  // of all threads
  bool has_operation_ = false;             // the expression being read holds one
  bool is_conditional_ = false;            // what is being read might not be evaluated
};

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PARSER_THREADS_H
