// Reads litmus tests in herd's C format.
//
//     C name
//     "a comment"
//     { x = 0; int y = 1; atomic_int z = 2; [x] = 1; 0:r0 = 0; }
//     P0(atomic_int *x, atomic_int *y) {
//       int r0 = atomic_load_explicit(x, memory_order_acquire);
//       if (r0 == 1)
//         atomic_store_explicit(y, r0 + 1, memory_order_release);
//     }
//     locations [0:r0; y;]
//     exists (0:r0=1 /\ ~(x=2))
//
// Departures from C and from herd, each so that a test means one thing only:
//
// - Integers are 64 bits wide and signed, whatever their type's name. A number
//   such as 010 is an error: it is octal in C and decimal in herd.
// - An operation without an explicit order, and `*x` and `*x = e` on a location
//   that a thread gets as an atomic, are seq_cst. `*x` on an `int *x` would be a
//   plain access, which the model does not have: an error.
// - An atomic operation may stand inside an expression. Its result then goes to a
//   hidden register (`__t0`, `__t1`, ...), and what is left of the expression
//   uses that. Two of them side by side are an error, since C does not say which
//   comes first; so is one on the right of && or ||, which might not run at all.
// - A register that is declared without a value, or declared in a block that did
//   not run, is 0.
// - The failure order of a compare-exchange may be stronger than its success
//   order, as C++17 and C23 have it.
// - A test without a condition has `forall (true)`, as in herd.
// - States list what a `filter` names, too; herd's do not.
//
// Program::observed is what the condition, the filter and the `locations` clauses name, each
// once: registers by thread and declaration, then locations by declaration (in
// the initial state, then in the threads' parameters). herd sorts by name, which
// is the same for names declared in alphabetical order.
#ifndef HEDDLE_LITMUS_PARSER_H
#define HEDDLE_LITMUS_PARSER_H

#include "program.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus {

struct ParseError {
  std::string file;
  // From 1. A column counts bytes. Line 0: the file could not be read at all.
  int line = 0, column = 0;
  std::string message;

  // "SB.litmus:7:15: expected ')', found ';'"
  std::string ToString() const;
};

// What a test may hold at most. They keep the recursion of whoever walks a
// program, and the time of whoever reads one, within bounds.
struct ParseLimits {
  static constexpr size_t kBytes = 1 << 20;
  static constexpr size_t kThreads = 16;
  static constexpr size_t kStatements = 1000; // of all threads
  static constexpr size_t kLocations = 256;
  static constexpr size_t kRegisters = 1000; // of one thread
  static constexpr int kDepth = 200;         // of blocks, expressions, conditions
};

// Returns false, with the first error, if `text` is no litmus test. `file` is
// only for the error.
bool Parse(std::string_view text, const std::string &file, Program *program, ParseError *error);
bool ParseFile(const std::string &path, Program *program, ParseError *error);

// What a test's file says about its states under some models: a comment, so that
// herd reads the file too.
//
//     (* expect c11tester cxx20: 2 states
//        0:r0=0; 1:r0=1;
//        0:r0=1; 1:r0=1;
//     *)
//
// Each model is named in at most one such comment. `tsan11/cxx11` is tsan11 with
// the release sequences of C++11; where no comment names it, it has the states of
// tsan11. The states are exactly those that the model allows, written as
// FormatState does.
struct Expectation {
  std::vector<std::string> models;
  std::set<State> states;
  Position position;
};

// `program` is what Parse made of the same text.
bool ParseExpectations(std::string_view text, const std::string &file, const Program &program,
                       std::vector<Expectation> *expectations, ParseError *error);

// A model's expectation, or null where the file has none. That of tsan11 stands for
// tsan11/cxx11, too, unless there is another.
const Expectation *Find(const std::vector<Expectation> &expectations, std::string_view model);

bool ReadFile(const std::string &path, std::string *text, ParseError *error);

} // namespace heddle::litmus

#endif // HEDDLE_LITMUS_PARSER_H
