#include "compiler.h"

#include "../../hunt/failure.h"
#include "../../hunt/files.h"

namespace heddle::litmus::compile {
namespace {

std::string FirstLine(const std::string &text) { return text.substr(0, text.find('\n')); }

// The disassembler's version does not matter, but older ones print other words.
std::string FindObjdump() {
  for (const char *name : {"llvm-objdump-19", "llvm-objdump"})
    if (!FindTool(name).empty())
      return name;
  throw ToolError("llvm-objdump is not there, with which machine code is read. Install it with\n"
                  "    apt-get install llvm-19");
}

std::string FindClang() {
  for (const char *name : {"clang-19", "clang"})
    if (!FindTool(name).empty())
      return name;
  return "clang-19";
}

std::string Advice(const std::string &name, const Target &target) {
  if (name == "gcc")
    return " Install it with\n    apt-get install " +
           (target.gcc == "x86_64-linux-gnu-gcc" ? "gcc" : "gcc-" + target.triple);
  if (name == "clang")
    return " Install it with\n    apt-get install clang-19 lld-19";
  return " Name a command in PATH or the path of one: --cc=PATH";
}

std::vector<std::string> CommonWords(const Configuration &configuration) {
  std::vector<std::string> words = {configuration.compiler.command};
  if (configuration.compiler.family == Compiler::Family::kClang)
    words.push_back("--target=" + configuration.target.triple);
  words.insert(words.end(), configuration.target.flags.begin(), configuration.target.flags.end());
  words.push_back(configuration.level);
  return words;
}

} // namespace

std::string NameOf(const Configuration &configuration) {
  return configuration.compiler.name + " " + configuration.target.name + " " + configuration.level;
}

Compiler FindCompiler(const std::string &name, const Target &target, const Limits &limits) {
  Compiler compiler;
  compiler.name = hunt::BaseName(name);
  compiler.command = name == "gcc" ? target.gcc : name == "clang" ? FindClang() : name;
  if (FindTool(compiler.command).empty())
    throw ToolError("the compiler " + compiler.command + " is not there." + Advice(name, target));
  const std::string version = RunTool({compiler.command, "--version"}, limits.seconds);
  compiler.version = FirstLine(version);
  compiler.family =
      version.find("clang") != version.npos ? Compiler::Family::kClang : Compiler::Family::kGcc;
  return compiler;
}

std::vector<std::string> CompileWords(const Configuration &configuration, const std::string &source,
                                      const std::string &object) {
  std::vector<std::string> words = CommonWords(configuration);
  // Without a C library there is only the compiler's own <stdatomic.h>.
  for (const char *word : {"-std=gnu11", "-ffreestanding", "-w", "-c"})
    words.push_back(word);
  words.insert(words.end(), {source, "-o", object});
  return words;
}

std::vector<std::string> LinkWords(const Configuration &configuration, const std::string &object,
                                   const std::string &program) {
  std::vector<std::string> words = CommonWords(configuration);
  for (const char *word : {"-nostdlib", "-static", "-Wl,--no-relax", "-Wl,--build-id=none"})
    words.push_back(word);
  if (configuration.compiler.family == Compiler::Family::kClang)
    words.push_back("-fuse-ld=lld");
  words.insert(words.end(), {object, "-o", program});
  if (configuration.compiler.family == Compiler::Family::kGcc || configuration.target.outline >= 0)
    words.push_back("-lgcc");
  return words;
}

Binary Build(const Configuration &configuration, const std::string &source, const Limits &limits) {
  try {
    hunt::TemporaryDirectory directory;
    const std::string path = directory.Path() + "/test";
    hunt::WriteFile(path + ".c", source);
    RunTool(CompileWords(configuration, path + ".c", path + ".o"), limits.seconds);
    RunTool(LinkWords(configuration, path + ".o", path), limits.seconds);
    Binary binary;
    binary.file = ReadElf(hunt::ReadFile(path));
    std::map<uint64_t, uint64_t> ends;
    for (const ElfSection &section : binary.file.sections)
      if (section.is_code)
        ends[section.address] = section.address + section.bytes.size();
    binary.code = ReadDisassembly(
        RunTool({FindObjdump(), "-d", "--no-show-raw-insn", path}, limits.seconds), ends);
    return binary;
  } catch (const hunt::Failure &failure) {
    throw ToolError(failure.what());
  }
}

} // namespace heddle::litmus::compile
