#include "emit_c.h"

#include "emit_thread.h"
#include "printer.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace heddle::litmus {
namespace {

// Words that a location may have in a litmus test, where it is a parameter, but not
// as a global: those of C11, and the functions that the compiler knows by name and
// that are one letter or a common word.
constexpr const char *kTaken[] = {
    "auto",     "break",  "case",     "char",         "const",    "continue", "default", "do",
    "double",   "else",   "enum",     "extern",       "float",    "for",      "goto",    "if",
    "inline",   "int",    "long",     "main",         "register", "restrict", "return",  "short",
    "signed",   "sizeof", "static",   "struct",       "switch",   "typedef",  "union",   "unsigned",
    "void",     "while",  "volatile", "exit",         "abort",    "free",     "malloc",  "read",
    "write",    "exp",    "log",      "pow",          "sin",      "cos",      "tan",     "index",
    "_Alignas", "_Bool",  "_Atomic",  "_Thread_local"};

class CEmitter final : ThreadEmitter {
public:
  CEmitter(const Program &program, int number, const std::string &prefix, std::string *text)
      : ThreadEmitter(program, number, "", text), prefix_(prefix) {}

  void EmitFunction() {
    Line("void " + prefix_ + "P" + std::to_string(number_) + "(void) {");
    EmitStatements();
    Line("}");
  }

  void EmitStatements() {
    depth_++;
    // A register that is first written where the thread is declares itself there.
    declared_.assign(thread_.registers.size(), false);
    for (const Statement &statement : thread_.body) {
      for (int needed : Needed(statement))
        Declare(needed);
      Emit(statement);
    }
    for (const Observable &observable : program_.observed)
      if (observable.thread == number_) {
        Declare(observable.index);
        Line(prefix_ + SymbolOf(program_, observable) + " = " +
             thread_.registers[observable.index] + ";");
      }
    depth_--;
  }

private:
  static void AddRegisters(const Expression &expression, std::vector<int> *registers) {
    if (expression.kind == Expression::Kind::kRegister)
      registers->push_back(expression.register_index);
    if (expression.left)
      AddRegisters(*expression.left, registers);
    if (expression.right)
      AddRegisters(*expression.right, registers);
  }
  // The registers that a statement reads, or that are used inside of it.
  static std::vector<int> Needed(const Statement &s) {
    std::vector<int> registers;
    AddRegisters(s.value, &registers);
    if (s.expected >= 0)
      registers.push_back(s.expected);
    for (const auto *body : {&s.then_body, &s.else_body})
      for (const Statement &inner : *body) {
        if (inner.target >= 0)
          registers.push_back(inner.target);
        for (int needed : Needed(inner))
          registers.push_back(needed);
      }
    return registers;
  }
  void Declare(int index) {
    if (declared_[index])
      return;
    declared_[index] = true;
    Line("int " + thread_.registers[index] + " = 0;");
  }

  std::string Print(const Expression &expression) const override {
    return PrintExpression(expression, thread_);
  }
  std::string Expected(int register_index) const override {
    return "&" + thread_.registers[register_index];
  }
  std::string Call(const Statement &s, const std::string &arguments) const override {
    return std::string(FunctionName(s)) + "_explicit(&" + prefix_ +
           program_.locations[s.location].name + ", " + arguments + ")";
  }
  void EmitResult(const Statement &s, const std::string &value) override {
    if (s.target < 0)
      return Line("(void)" + value + ";");
    bool declares = !declared_[s.target];
    declared_[s.target] = true;
    Line((declares ? "int " : "") + thread_.registers[s.target] + " = " + value + ";");
  }

  const std::string prefix_;
  std::vector<bool> declared_;
};

void CheckNames(const Program &program) {
  std::set<std::string> names(std::begin(kTaken), std::end(kTaken));
  auto take = [&](const std::string &name) {
    if (name.rfind("atomic_", 0) == 0 || name.rfind("memory_order_", 0) == 0 ||
        !names.insert(name).second)
      throw std::invalid_argument(program.name + ": " + name +
                                  " cannot be the name of a global in C; rename it in the test");
  };
  for (size_t t = 0; t < program.threads.size(); t++)
    take("P" + std::to_string(t));
  for (const Location &location : program.locations)
    take(location.name);
  for (const Observable &observable : program.observed)
    if (observable.thread >= 0)
      take(SymbolOf(program, observable));
  // A register would hide a location that its thread uses.
  for (const Thread &thread : program.threads)
    for (const std::string &name : thread.registers)
      if (names.count(name))
        throw std::invalid_argument(program.name + ": the register " + name +
                                    " has the name of a global in C; rename it in the test");
}

} // namespace

std::string SymbolOf(const Program &program, const Observable &observable) {
  if (observable.thread < 0)
    return program.locations[observable.index].name;
  return "P" + std::to_string(observable.thread) + "_" +
         program.threads[observable.thread].registers[observable.index];
}

std::string EmitCGlobals(const Program &program, const std::string &prefix) {
  CheckNames(program);
  std::string text;
  for (const Location &location : program.locations)
    text +=
        "_Atomic int " + prefix + location.name + " = " + std::to_string(location.initial) + ";\n";
  for (const Observable &observable : program.observed)
    if (observable.thread >= 0)
      text += "int " + prefix + SymbolOf(program, observable) + ";\n";
  for (size_t t = 0; t < program.threads.size(); t++) {
    text += "\n";
    CEmitter(program, static_cast<int>(t), prefix, &text).EmitFunction();
  }
  return text;
}

std::string EmitCBody(const Program &program, int thread, const std::string &prefix) {
  std::string text;
  CEmitter(program, thread, prefix, &text).EmitStatements();
  return text;
}

std::string EmitC(const Program &program) {
  return "#include <stdatomic.h>\n\n" + EmitCGlobals(program, "");
}

} // namespace heddle::litmus
