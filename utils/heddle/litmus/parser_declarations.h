// Types and locations: the initial state declares them, so do the threads'
// parameters, and the clauses at the end name them.
#ifndef HEDDLE_LITMUS_PARSER_DECLARATIONS_H
#define HEDDLE_LITMUS_PARSER_DECLARATIONS_H

#include "parser_tokens.h"
#include "parser_words.h"

#include <string_view>

namespace heddle::litmus {

class DeclarationParser : protected TokenParser {
protected:
  struct Type {
    bool atomic = false, pointer = false;
  };

  DeclarationParser(Cursor *cursor, Program *program) : TokenParser(cursor), program_(program) {}

  bool IsType() const { return token_.kind == TokenKind::kIdentifier && IsTypeWord(token_.text); }
  bool ParseType(Type *type);

  // The location's index, or -1.
  int FindLocation(std::string_view name) const;
  bool AddLocation(const Token &name, int *location);

  Program *program_;

private:
  bool AcceptBaseType(Type *type);
};

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PARSER_DECLARATIONS_H
