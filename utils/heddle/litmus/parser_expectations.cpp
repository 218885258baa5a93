// The comments that say which states a test has under which models. herd skips
// them and so does the parser of tests; here they are looked for in the text.
#include "parser_tokens.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::litmus {
namespace {

class ExpectationParser : TokenParser {
public:
  ExpectationParser(Cursor *cursor, std::string_view text, const Program &program,
                    std::vector<Expectation> *expectations)
      : TokenParser(cursor), text_(text), program_(program), expectations_(expectations) {}

  bool ParseAll() {
    constexpr std::string_view kStart = "(* expect ";
    for (size_t at = 0; (at = text_.find(kStart, at)) != std::string_view::npos;) {
      at += kStart.size();
      cursor_->lexer.SkipTo(at);
      if (!ParseOne())
        return false;
    }
    return true;
  }

private:
  bool ParseOne() {
    Expectation expectation;
    Advance();
    expectation.position = token_.position;
    while (!Is(":")) {
      std::string model;
      if (!ParseModel(&model))
        return false;
      expectation.models.push_back(std::move(model));
    }
    Advance();
    if (expectation.models.empty())
      return Fail(expectation.position, "expected a model after 'expect'");
    Value count;
    if (!ParseInteger(&count))
      return false;
    if (!Accept("state") && !Expect("states"))
      return false;
    for (Value i = 0; i < count; i++) {
      Position position = token_.position;
      State state;
      if (!ParseState(&state))
        return false;
      if (!expectation.states.insert(std::move(state)).second)
        return Fail(position, "this state is listed already");
    }
    // What follows must be the comment's end: another state would be one too many.
    if (!Expect("*"))
      return false;
    if (!Is(")"))
      return FailExpected("')'");
    expectations_->push_back(std::move(expectation));
    return true;
  }

  bool ParseModel(std::string *model) {
    Position position = token_.position;
    if (token_.kind != TokenKind::kIdentifier)
      return FailExpected("a model or ':'");
    *model = token_.text;
    Advance();
    if (Accept("/")) {
      if (token_.kind != TokenKind::kIdentifier)
        return FailExpected("a release sequence such as cxx11");
      *model += "/" + std::string(token_.text);
      Advance();
    }
    if (!models_.insert(*model).second)
      return Fail(position, "there are expectations for " + *model + " already");
    return true;
  }

  bool ParseState(State *state) {
    for (const Observable &observable : program_.observed) {
      if (observable.thread >= 0) {
        const Thread &thread = program_.threads[observable.thread];
        if (token_.kind != TokenKind::kNumber || token_.text != std::to_string(observable.thread))
          return FailExpected(
              Quote(std::to_string(observable.thread) + ":" + thread.registers[observable.index]));
        Advance();
        if (!Expect(":") || !Expect(thread.registers[observable.index]))
          return false;
      } else if (!Expect(program_.locations[observable.index].name)) {
        return false;
      }
      Value value;
      if (!Expect("=") || !ParseInteger(&value) || !Expect(";"))
        return false;
      state->push_back(value);
    }
    return true;
  }

  std::string_view text_;
  const Program &program_;
  std::vector<Expectation> *expectations_;
  std::set<std::string> models_; // that have been named
};

} // namespace

bool ParseExpectations(std::string_view text, const std::string &file, const Program &program,
                       std::vector<Expectation> *expectations, ParseError *error) {
  expectations->clear();
  *error = {file, 0, 0, {}};
  Cursor cursor(text, error);
  return ExpectationParser(&cursor, text, program, expectations).ParseAll();
}

const Expectation *Find(const std::vector<Expectation> &expectations, std::string_view model) {
  for (const Expectation &expectation : expectations)
    for (const std::string &name : expectation.models)
      if (name == model)
        return &expectation;
  size_t slash = model.find('/');
  return slash == std::string_view::npos ? nullptr : Find(expectations, model.substr(0, slash));
}

} // namespace heddle::litmus
