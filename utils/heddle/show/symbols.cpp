#include "symbols.h"

#include "../hunt/failure.h"
#include "../hunt/files.h"
#include "../hunt/printable.h"
#include "../hunt/spawn.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <cxxabi.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::show {
namespace {

using Json = nlohmann::json;

bool Contains(const std::string &text, const char *part) { return text.find(part) != text.npos; }

std::string Demangled(const std::string &name) {
  if (name.compare(0, 2, "_Z"))
    return name;
  int status = 0;
  char *text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string demangled = text ? text : name;
  free(text);
  // Nobody writes std::string's ABI into a program.
  for (size_t at; (at = demangled.find("[abi:")) != demangled.npos;)
    demangled.erase(at, demangled.find(']', at) - at + 1);
  return demangled;
}

// To read a pipe or a device may take for ever.
bool IsNoFile(const std::string &path) {
  struct stat status;
  return !stat(path.c_str(), &status) && !S_ISREG(status.st_mode);
}

// As llvm-symbolizer takes it. What has both kinds of quotes it cannot be told. Each question has
// an answer, also the one about nothing.
std::string Module(const Place &place) {
  const bool good = hunt::Printable(place.module) == place.module;
  const char quote = Contains(place.module, "\"") ? '\'' : '"';
  return quote + (good && !IsNoFile(place.module) ? place.module : "/dev/null") + quote;
}

std::set<Place> Values(const std::map<uint64_t, Place> &places) {
  std::set<Place> values;
  for (const auto &[address, place] : places)
    values.insert(place);
  return values;
}

std::vector<Frame> FramesOf(const Json &answer) {
  std::vector<Frame> frames;
  for (const Json &symbol : answer.value("Symbol", Json::array())) {
    Frame frame;
    frame.function = hunt::Printable(symbol.value("FunctionName", ""));
    frame.file = symbol.value("FileName", "");
    frame.line = symbol.value("Line", 0u);
    if (!frame.function.empty() || !frame.file.empty())
      frames.push_back(frame);
  }
  return frames;
}

std::string VariableOf(const Place &place, const Json &answer) {
  const Json data = answer.value("Data", Json::object());
  const std::string name = data.value("Name", "");
  if (name.empty() || name == "??")
    return "";
  const uint64_t start = strtoull(data.value("Start", "0").c_str(), nullptr, 0);
  return hunt::Printable(Demangled(name)) +
         (place.offset > start ? "+" + std::to_string(place.offset - start) : "");
}

} // namespace

bool Frame::IsRuntimes() const {
  return Contains(file, "/compiler-rt/lib/") || function.compare(0, 7, "__tsan_") == 0;
}

// The C library's own files have names relative to where it was built.
bool Frame::IsUsers() const {
  return line && !IsRuntimes() && file.compare(0, 5, "/usr/") && file.compare(0, 2, "./") &&
         file.compare(0, 3, "../") && !Contains(file, "/include/c++/");
}

std::string Frame::Where() const {
  if (file.empty() || !line)
    return function.substr(0, function.find('('));
  return hunt::Printable(hunt::BaseName(file)) + ":" + std::to_string(line);
}

std::vector<Frame> Symbols::Stack(const Execution &execution,
                                  const std::vector<uint64_t> &pcs) const {
  std::vector<Frame> stack;
  for (uint64_t pc : pcs) {
    const auto place = execution.code.find(pc);
    if (place == execution.code.end())
      continue;
    const auto found = code_.find(place->second);
    if (found == code_.end() || found->second.empty()) {
      std::ostringstream text;
      text << hunt::Printable(hunt::BaseName(place->second.module)) << "+0x" << std::hex
           << place->second.offset;
      stack.push_back({text.str(), "", 0});
      continue;
    }
    for (const Frame &frame : found->second)
      if (!frame.IsRuntimes())
        stack.push_back(frame);
  }
  return stack;
}

std::vector<Frame> Symbols::Stack(const Execution &execution, unsigned stack) const {
  const auto found = execution.stacks.find(stack);
  return found == execution.stacks.end() ? std::vector<Frame>() : Stack(execution, found->second);
}

std::string Symbols::Variable(const Execution &execution, uint64_t address) const {
  const auto place = execution.objects.find(address);
  if (place == execution.objects.end())
    return "";
  const auto found = data_.find(place->second);
  return found == data_.end() ? "" : found->second;
}

const Frame *UsersFrame(const std::vector<Frame> &stack) {
  for (const Frame &frame : stack)
    if (frame.IsUsers())
      return &frame;
  return stack.empty() ? nullptr : &stack[0];
}

std::string SymbolizerQuestions(const Execution &execution) {
  std::ostringstream questions;
  questions << std::hex;
  for (const Place &place : Values(execution.code))
    questions << "CODE " << Module(place) << " 0x" << place.offset << "\n";
  for (const Place &place : Values(execution.objects))
    questions << "DATA " << Module(place) << " 0x" << place.offset << "\n";
  return questions.str();
}

Symbols ReadAnswers(const Execution &execution, const std::string &answers) {
  Symbols symbols;
  std::istringstream lines(answers);
  // A place without an answer stays without a name.
  auto next = [&] {
    std::string line;
    std::getline(lines, line);
    const Json answer = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    return answer.is_object() ? answer : Json::object();
  };
  for (const Place &place : Values(execution.code))
    symbols.AddCode(place, FramesOf(next()));
  for (const Place &place : Values(execution.objects)) {
    const std::string name = VariableOf(place, next());
    if (!name.empty())
      symbols.AddData(place, name);
  }
  return symbols;
}

Symbols Symbolize(const Execution &execution, const std::string &symbolizer) {
  if (symbolizer.empty())
    return Symbols();
  const hunt::Descriptor questions = hunt::MemoryFile("questions"),
                         answers = hunt::MemoryFile("answers");
  const std::string text = SymbolizerQuestions(execution);
  if (write(questions.Get(), text.data(), text.size()) != ssize_t(text.size()) ||
      lseek(questions.Get(), 0, SEEK_SET) != 0)
    throw hunt::Failure("no memory is left for the symbolizer's questions.");
  hunt::SpawnPlan plan;
  plan.path = symbolizer;
  plan.arguments = {symbolizer, "--output-style=JSON", "--demangle"};
  for (char **variable = environ; *variable; variable++)
    plan.environment.push_back(*variable);
  plan.in = questions.Get();
  plan.out = answers.Get();
  hunt::Await(hunt::Spawn(plan), {});
  return ReadAnswers(execution, hunt::ReadAll(answers.Get()));
}

std::string Sources::Line(const std::string &file, unsigned line) {
  auto found = files_.find(file);
  if (found == files_.end()) {
    found = files_.emplace(file, std::vector<std::string>()).first;
    std::ifstream stream(IsNoFile(file) ? "" : file);
    for (std::string text; std::getline(stream, text);)
      found->second.push_back(text);
  }
  if (line == 0 || line > found->second.size())
    return "";
  const std::string &text = found->second[line - 1];
  const size_t begin = text.find_first_not_of(" \t\r"), end = text.find_last_not_of(" \t\r");
  return begin == text.npos ? "" : hunt::Printable(text.substr(begin, end - begin + 1));
}

} // namespace heddle::show
