// A test as a whole: its head, then its parts in order, each of which has a parser
// of its own (parser_tokens.h says how they work together).
#include "parser.h"

#include "parser_conditions.h"
#include "parser_initial_state.h"
#include "parser_threads.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace heddle::litmus {
namespace {

class TestParser : TokenParser {
public:
  TestParser(Cursor *cursor, Program *program) : TokenParser(cursor), program_(program) {}

  bool ParseTest();

private:
  bool ParseHeader();
  bool ParseThreads(const InitialRegisters &initial_registers);

  Program *program_;
};

bool TestParser::ParseTest() {
  InitialRegisters initial_registers;
  return ParseHeader() &&
         InitialStateParser(cursor_, program_, &initial_registers).ParseInitialState() &&
         ParseThreads(initial_registers) && ConditionParser(cursor_, program_).ParseEnd();
}

bool TestParser::ParseHeader() {
  Advance();
  if (!Is("C"))
    return FailExpected("'C' and the test's name");
  return ParseTestName(&program_->name);
}

bool TestParser::ParseThreads(const InitialRegisters &initial_registers) {
  ThreadParser parser(cursor_, program_, initial_registers);
  bool found = true;
  while (found)
    if (!parser.ParseThread(&found))
      return false;
  for (const auto &[thread, registers] : initial_registers)
    if (thread >= program_->threads.size())
      return Fail(registers[0].position, "there is no thread P" + std::to_string(thread));
  return true;
}

} // namespace

std::string ParseError::ToString() const {
  if (line == 0)
    return file + ": " + message;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + message;
}

bool Parse(std::string_view text, const std::string &file, Program *program, ParseError *error) {
  *program = {};
  *error = {file, 0, 0, {}};
  if (text.size() > ParseLimits::kBytes) {
    error->message = "too long: " + std::to_string(text.size()) + " bytes, the limit is " +
                     std::to_string(ParseLimits::kBytes);
    return false;
  }
  Cursor cursor(text, error);
  return TestParser(&cursor, program).ParseTest();
}

bool ReadFile(const std::string &path, std::string *text, ParseError *error) {
  // Not a stream: those do not tell a directory from an empty file.
  FILE *file = fopen(path.c_str(), "rb");
  bool good = file != nullptr;
  if (good) {
    text->clear();
    char buffer[4096];
    while (size_t size = fread(buffer, 1, sizeof(buffer), file))
      text->append(buffer, size);
    good = !ferror(file);
  }
  if (!good)
    *error = {path, 0, 0, std::string("cannot be read: ") + std::strerror(errno)};
  if (file)
    fclose(file);
  return good;
}

bool ParseFile(const std::string &path, Program *program, ParseError *error) {
  std::string text;
  return ReadFile(path, &text, error) && Parse(text, path, program, error);
}

} // namespace heddle::litmus
