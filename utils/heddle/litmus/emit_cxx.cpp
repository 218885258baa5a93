#include "emit_cxx.h"

#include "emit_thread.h"
#include "lexer.h"
#include "printer.h"

#include <algorithm>
#include <limits>

namespace heddle::litmus {
namespace {

// What stands before the tests.
constexpr std::string_view kHead = R"(// Made by heddle litmus --emit-cxx.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using Value = int64_t;
using State = std::vector<Value>;

struct Test {
  const char *name;
  std::vector<const char *> observed;
  size_t threads;
  State (*run)(const std::vector<size_t> &order); // starts the threads in that order
};

// Registers wrap around.
[[maybe_unused]] uint64_t Wrap(Value value) { return static_cast<uint64_t>(value); }
)";

// And before that, if there are membarriers. A namespace's variable: a function's own would
// synchronise the threads that come to it.
constexpr std::string_view kMembarrierHead = R"(#include <cstdio>
#include <cstdlib>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

long CallMembarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

const long membarrier_is_registered = CallMembarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);

void Membarrier() {
  if (membarrier_is_registered || CallMembarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) {
    perror("membarrier");
    abort();
  }
}

} // namespace

)";

// What stands behind them.
constexpr std::string_view kTail = R"(
bool IsNamed(const Test &test, char **names) {
  if (!*names)
    return true;
  for (; *names; names++)
    if (!strcmp(*names, test.name))
      return true;
  return false;
}

void RunTest(const Test &test, unsigned long long runs) {
  std::map<State, unsigned long long> states;
  // The thread that starts first is ahead of the others: each has its turn.
  std::vector<size_t> order(test.threads);
  std::iota(order.begin(), order.end(), 0);
  for (unsigned long long i = 0; i < runs; i++) {
    states[test.run(order)]++;
    std::next_permutation(order.begin(), order.end());
  }
  printf("Test %s\nStates %zu\n", test.name, states.size());
  for (const auto &[state, count] : states) {
    printf("%-6llu:>", count);
    for (size_t i = 0; i < state.size(); i++)
      printf("%s%s=%lld;", i ? " " : "", test.observed[i], static_cast<long long>(state[i]));
    puts("");
  }
}

} // namespace

int main(int argc, char **argv) {
  char *end = nullptr;
  unsigned long long runs = argc > 1 ? strtoull(argv[1], &end, 10) : 0;
  if (argc < 2 || *end || end == argv[1]) {
    fprintf(stderr, "usage: %s RUNS [TEST...]\n", argv[0]);
    return 2;
  }
  for (const Test &test : kTests)
    if (IsNamed(test, argv + 2))
      RunTest(test, runs);
}
)";

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || c == '?')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

std::string Name(const std::string &name) { return name + "_"; }

// atomic_fetch_add without the prefix.
std::string MemberName(const Statement &statement) {
  std::string_view name = FunctionName(statement);
  return std::string(name.substr(name.find('_') + 1));
}

std::string Constant(Value value) {
  if (value == std::numeric_limits<Value>::min())
    return "INT64_MIN"; // C++ has no such literal
  bool is_int = value == static_cast<int32_t>(value);
  return is_int ? std::to_string(value) : "INT64_C(" + std::to_string(value) + ")";
}

// With all parentheses, and each part a Value.
std::string EmitExpression(const Expression &expression, const Thread &thread) {
  using Kind = Expression::Kind;
  auto unary = [&](const char *operation) {
    return std::string("Value(") + operation + "Wrap(" + EmitExpression(*expression.left, thread) +
           "))";
  };
  switch (expression.kind) {
  case Kind::kConstant:
    return Constant(expression.constant);
  case Kind::kRegister:
    return Name(thread.registers[expression.register_index]);
  case Kind::kNegate:
    return unary("0 - ");
  case Kind::kNot:
    return unary("!");
  case Kind::kComplement:
    return unary("~");
  case Kind::kAdd:
  case Kind::kSubtract:
  case Kind::kMultiply:
  case Kind::kAnd:
  case Kind::kOr:
  case Kind::kXor:
  case Kind::kEqual:
  case Kind::kNotEqual:
  case Kind::kLess:
  case Kind::kLessEqual:
  case Kind::kGreater:
  case Kind::kGreaterEqual:
  case Kind::kLogicalAnd:
  case Kind::kLogicalOr:
    break;
  }
  bool wraps = expression.kind == Kind::kAdd || expression.kind == Kind::kSubtract ||
               expression.kind == Kind::kMultiply;
  const char *open = wraps ? "Wrap(" : "(";
  std::string operation;
  for (const BinaryOperator &candidate : kBinaryOperators)
    if (candidate.kind == expression.kind)
      operation = candidate.text;
  return "Value(" + (open + EmitExpression(*expression.left, thread)) + ") " + operation + " " +
         open + EmitExpression(*expression.right, thread) + "))";
}

class CxxEmitter final : ThreadEmitter {
public:
  CxxEmitter(const Program &program, int number, std::string *text)
      : ThreadEmitter(program, number, "std::", text) {}

  void EmitFunction() {
    Line("void P" + std::to_string(number_) +
         "([[maybe_unused]] Memory &memory, [[maybe_unused]] State &state) {");
    depth_++;
    for (const std::string &name : thread_.registers)
      Line("[[maybe_unused]] Value " + Name(name) + " = 0;");
    for (const Statement &statement : thread_.body)
      Emit(statement);
    for (size_t i = 0; i < program_.observed.size(); i++)
      if (program_.observed[i].thread == number_)
        Line("state[" + std::to_string(i) +
             "] = " + Name(thread_.registers[program_.observed[i].index]) + ";");
    depth_--;
    Line("}");
  }

private:
  std::string Print(const Expression &expression) const override {
    return EmitExpression(expression, thread_);
  }
  std::string Expected(int register_index) const override {
    return Name(thread_.registers[register_index]);
  }
  std::string Call(const Statement &s, const std::string &arguments) const override {
    return "memory." + Name(program_.locations[s.location].name) + "." + MemberName(s) + "(" +
           arguments + ")";
  }
  void EmitResult(const Statement &s, const std::string &value) override {
    Line((s.target < 0 ? "(void)" : Name(thread_.registers[s.target]) + " = ") + value + ";");
  }
};

// Everything of a test, in a namespace of its own.
std::string EmitTest(const Program &program, size_t number) {
  std::string text = "\nnamespace test" + std::to_string(number) + " {\n\nstruct Memory {\n";
  for (const Location &location : program.locations)
    text +=
        "  std::atomic<Value> " + Name(location.name) + "{" + Constant(location.initial) + "};\n";
  text += "};\n";
  std::string functions;
  for (size_t t = 0; t < program.threads.size(); t++) {
    text += "\n";
    CxxEmitter(program, static_cast<int>(t), &text).EmitFunction();
    functions += (t ? ", P" : "P") + std::to_string(t);
  }
  text += "\nState Run(const std::vector<size_t> &order) {\n"
          "  void (*const functions[])(Memory &, State &) = {" +
          functions + "};\n  auto memory = std::make_unique<Memory>();\n  State state(" +
          std::to_string(program.observed.size()) +
          ");\n  std::vector<std::thread> threads;\n"
          "  for (size_t t : order)\n"
          "    threads.emplace_back(functions[t], std::ref(*memory), std::ref(state));\n"
          "  for (std::thread &thread : threads)\n    thread.join();\n";
  for (size_t i = 0; i < program.observed.size(); i++)
    if (program.observed[i].thread < 0)
      text += "  state[" + std::to_string(i) + "] = memory->" +
              Name(program.locations[program.observed[i].index].name) +
              ".load(std::memory_order_relaxed);\n";
  return text + "  return state;\n}\n\n} // namespace test" + std::to_string(number) + "\n";
}

} // namespace

std::string EmitCxx(const std::vector<Program> &programs) {
  std::string text, tests;
  if (std::any_of(programs.begin(), programs.end(),
                  [](const Program &program) { return HasMembarrier(program); }))
    text = kMembarrierHead;
  text += kHead;
  for (size_t i = 0; i < programs.size(); i++) {
    text += EmitTest(programs[i], i);
    tests += "    {" + Quoted(programs[i].name) + ", {";
    const char *separator = "";
    for (const Observable &observable : programs[i].observed) {
      tests += separator + Quoted(PrintObservable(programs[i], observable));
      separator = ", ";
    }
    tests += "}, " + std::to_string(programs[i].threads.size()) + ", test" + std::to_string(i) +
             "::Run},\n";
  }
  text += "\nconst std::vector<Test> kTests = {\n" + tests + "};\n";
  return text.append(kTail);
}

} // namespace heddle::litmus
