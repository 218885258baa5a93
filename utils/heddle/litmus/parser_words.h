// The words of C that the parser knows, why it does not support some, and which
// name was meant by one that it does not know. A construct that C has deserves a
// reason, not "expected ..., found ...": the test is right, as C.
#ifndef HEDDLE_LITMUS_PARSER_WORDS_H
#define HEDDLE_LITMUS_PARSER_WORDS_H

#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus {

// Whether `text` may stand in a type, as C has it; the unsupported ones are such
// words, too.
bool IsTypeWord(std::string_view text);
bool IsIntegerType(std::string_view text); // "int", "uint8_t"
bool IsAtomicType(std::string_view text);  // "atomic_int"

// Whether `text` can be no name.
bool IsKeyword(std::string_view text);

// Why a test cannot hold this, or nothing if `text` is no such statement, type, operator
// or function of C.
std::string_view WhyUnsupportedStatement(std::string_view text);
std::string_view WhyUnsupportedType(std::string_view text);
std::string_view WhyUnsupportedOperator(std::string_view text);
std::string_view WhyUnsupportedFunction(std::string_view text);

// "; did you mean 'a', 'b'?", or nothing if no name is near.
std::string Similar(std::string_view name, const std::vector<std::string> &candidates);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PARSER_WORDS_H
